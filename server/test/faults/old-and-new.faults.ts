// Two releases on one database, as during a rolling upgrade: the schema is the
// new one, and the old program goes on with it.

import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { allEndpoints } from '@redpack/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort, type ProductProcess } from '../product-process.ts'
import { usePrograms } from '../programs.ts'
import { Browser } from '../sign-in.ts'
import { hasPostgres } from '../test-database.ts'
import { expectTrueBooks, tell } from './fault-table.ts'
import { keeperPassword, loadSettings } from './keyed-load.ts'
import { buildOtherRelease, findOtherRelease } from './two-releases.ts'

const other = findOtherRelease()
const missing = [
  ...(typeof other === 'string' ? [other] : []),
  ...(hasPostgres ? [] : ['no PostgreSQL']),
]
const programs = usePrograms('old-and-new')
let repository: string | undefined

afterAll(async () => {
  await programs.kill()
  if (repository !== undefined) rmSync(repository, { recursive: true, force: true })
})

async function start(settings: Record<string, string>, from?: string): Promise<ProductProcess> {
  const PORT = String(await freePort())
  const DATA_DIR = mkdtempSync(join(programs.folder, 'data-'))
  const options = from === undefined ? {} : { repository: from }
  return programs.start({ ...settings, PORT, DATA_DIR }, options)
}

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

/** What value passes through: a sign-in, a grant, openings, a purchase, seeds, a note. */
async function playOn(product: ProductProcess, name: string): Promise<void> {
  const viewer = new Browser(product.url)
  await viewer.signIn(name)
  const staff = new Browser(product.url)
  await staff.json('/api/auth/local', { username: 'keeper', password: keeperPassword })
  const { id } = await viewer.json<{ id: number }>('/api/auth/me')
  const types = await viewer.json<{ id: number }[]>('/api/packs/types')
  const packTypeId = types[0]!.id
  const grant = { usernames: [name], packTypeId, quantity: 20 }
  await staff.json('/api/admin/distribute-packs', grant, keyed(`${name}-packs`))
  const coins = { usernames: [name], amount: 1_000_000 }
  await staff.json('/api/admin/distribute-redcoin', coins, keyed(`${name}-coins`))
  for (const quantity of [1, 10]) {
    const open = () =>
      viewer.json('/api/packs/open', { packTypeId, quantity }, keyed(`${name}-${quantity}`))
    expect(await open()).toEqual(await open())
  }
  const listings = await viewer.json<{ id: number; isUnlimited: boolean }[]>('/api/store/listings')
  const storePackListingId = listings.find(({ isUnlimited }) => isUnlimited)!.id
  const order = { storePackListingId, quantity: 2 }
  await viewer.json('/api/store/purchase', order, keyed(`${name}-buys`))
  await staff.json(`/api/admin/users/${id}/notes`, { body: 'Seen during the upgrade' })
  await readEverything(viewer)
  await readEverything(staff)
  await viewer.json('/api/auth/logout', {})
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
      repository = buildOtherRelease(other)
      const [older, newer] = other.isOlder ? [repository, undefined] : [undefined, repository]
      const database = await programs.database()
      await database.db.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
      const settings = loadSettings({ DATABASE_URL: database.url }, 0, programs.folder)
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
