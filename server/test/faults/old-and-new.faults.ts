// Two releases on one database, as during a rolling upgrade: the schema is the
// new one, and the old program goes on with it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allEndpoints } from '@redpack/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { buildServer, freePort, type ProductProcess, startProgram } from '../product-process.ts'
import { Browser } from '../sign-in.ts'
import { isPostgresReachable, postgresTestDatabase } from '../test-database.ts'
import { expectTrueBooks, tell } from './fault-table.ts'
import { buildOtherRelease, findOtherRelease } from './two-releases.ts'

const password = 'correct horse battery'
const other = findOtherRelease()
const missing = [
  ...(typeof other === 'string' ? [other] : []),
  ...((await isPostgresReachable()) ? [] : ['no PostgreSQL']),
]
const folder = mkdtempSync(join(tmpdir(), 'redpack-old-and-new-'))
const running: ProductProcess[] = []
let repository: string | undefined
let database: Awaited<ReturnType<typeof postgresTestDatabase>> | undefined

afterAll(async () => {
  for (const { child, exit } of running) {
    child.kill('SIGKILL')
    await exit
  }
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
  if (repository !== undefined) rmSync(repository, { recursive: true, force: true })
})

async function start(settings: Record<string, string>, from?: string): Promise<ProductProcess> {
  const PORT = String(await freePort())
  const DATA_DIR = mkdtempSync(join(folder, 'data-'))
  const options = from === undefined ? {} : { repository: from }
  const product = startProgram('main', { ...settings, PORT, DATA_DIR }, options)
  running.push(product)
  await product.ready()
  return product
}

async function ask<Answer>(who: Browser, path: string, body?: object, key?: string) {
  const response = await who.open(path, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
  })
  const text = await response.text()
  expect([path, response.status, response.status === 200 ? '' : text]).toEqual([path, 200, ''])
  return JSON.parse(text) as Answer
}

/** What value passes through: a sign-in, a grant, openings, a purchase, seeds, a note. */
async function playOn(product: ProductProcess, name: string): Promise<void> {
  const viewer = new Browser(product.url)
  await viewer.signIn(name)
  const staff = new Browser(product.url)
  await ask(staff, '/api/auth/local', { username: 'keeper', password })
  const { id } = await ask<{ id: number }>(viewer, '/api/auth/me')
  const types = await ask<{ id: number }[]>(viewer, '/api/packs/types')
  const packTypeId = types[0]!.id
  const grant = { usernames: [name], packTypeId, quantity: 20 }
  await ask(staff, '/api/admin/distribute-packs', grant, `${name}-packs`)
  const coins = { usernames: [name], amount: 1_000_000 }
  await ask(staff, '/api/admin/distribute-redcoin', coins, `${name}-coins`)
  for (const quantity of [1, 10]) {
    const opening = { packTypeId, quantity }
    const first = await ask(viewer, '/api/packs/open', opening, `${name}-${quantity}`)
    expect(await ask(viewer, '/api/packs/open', opening, `${name}-${quantity}`)).toEqual(first)
  }
  const listings = await ask<{ id: number; isUnlimited: boolean }[]>(viewer, '/api/store/listings')
  const storePackListingId = listings.find(({ isUnlimited }) => isUnlimited)!.id
  await ask(viewer, '/api/store/purchase', { storePackListingId, quantity: 2 }, `${name}-buys`)
  await ask(staff, `/api/admin/users/${id}/notes`, { body: 'Seen during the upgrade' })
  await readEverything(viewer)
  await readEverything(staff)
  await ask(viewer, '/api/auth/logout', {})
}

/** Every call that only reads; the old program does not know those that are new. */
async function readEverything(who: Browser): Promise<void> {
  const faults: string[] = []
  let answered = 0
  for (const { method, path, access } of allEndpoints) {
    const isAsked = method === 'GET' && !path.includes('{') && !path.startsWith('/api/auth/')
    if (!isAsked || access === 'public') continue
    const { status } = await who.open(path)
    if (status === 200) answered += 1
    if (status >= 500) faults.push(`${path} ${status}`)
  }
  expect(faults).toEqual([])
  expect(answered).toBeGreaterThan(5)
}

describe.skipIf(missing.length > 0)(
  `two releases beside each other${missing.map((what) => `, ${what}`).join('')}`,
  () => {
    it('the older goes on when the schema is newer, and may start again', async () => {
      if (typeof other === 'string') return
      await buildServer()
      repository = buildOtherRelease(other)
      const [older, newer] = other.isOlder ? [repository, undefined] : [undefined, repository]
      database = await postgresTestDatabase()
      await database.db.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
      const settings = {
        DATABASE_URL: database.url,
        ENCRYPTION_KEY: '7c'.repeat(32),
        LOG_SIGNING_KEY: '1a'.repeat(32),
        SANDBOX: 'on',
        RATE_LIMITS: 'off',
        LOCAL_ADMIN_USERNAME: 'keeper',
        LOCAL_ADMIN_PASSWORD: password,
      }
      const old = await start(settings, older)
      await playOn(old, 'before')
      const present = await start(settings, newer)
      await playOn(old, 'old_goes_on')
      await playOn(present, 'new_begins')
      old.child.kill('SIGTERM')
      expect(await old.exit).toBe(0)
      await playOn(await start(settings, older), 'old_again')
      await expectTrueBooks(settings, newer)
      tell({
        fault: 'A new release migrates the database while a process of the one before runs',
        promise: 'Both serve; the old one may start again unless a migration says "contract"',
        seen: `every read and the calls that move value answered by both, commit ${other.commit.slice(0, 8)} beside this one, also after a restart of the older one`,
      })
    })
  },
)
