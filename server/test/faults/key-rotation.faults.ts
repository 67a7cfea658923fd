// Encryption keys on two processes over one PostgreSQL: a wrong one is refused, and a new one takes
// the place of the old one while people go on playing, as docs/operating.md says.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { statement } from '../../src/adapters/db/database.ts'
import { buildServer, freePort, type ProductProcess, startProgram } from '../product-process.ts'
import { Browser } from '../sign-in.ts'
import { isPostgresReachable, postgresTestDatabase } from '../test-database.ts'
import { expectTrueBooks, tell } from './fault-table.ts'

const hasPostgres = await isPostgresReachable()
const folder = mkdtempSync(join(tmpdir(), 'redpack-keys-'))
const [keyA, keyB, keyC] = ['1c'.repeat(32), '2d'.repeat(32), '3e'.repeat(32)]

interface Keys {
  readonly now: string
  readonly also?: string
}

let database: Awaited<ReturnType<typeof postgresTestDatabase>>
let ports: number[] = []
const running: (ProductProcess | undefined)[] = []
/** Turns of players that went well. */
let played = 0

function settingsOf(index: number, { now, also }: Keys): Record<string, string> {
  const sandbox = `http://127.0.0.1:${ports[0]}/sandbox`
  return {
    PORT: String(ports[index]),
    DATA_DIR: join(folder, String(index)),
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: now,
    ...(also === undefined ? {} : { ENCRYPTION_KEY_PREVIOUS: also }),
    LOG_SIGNING_KEY: '1a'.repeat(32),
    SANDBOX: 'on',
    RATE_LIMITS: 'off',
    PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    TWITCH_ID_URL: `${sandbox}/twitch/id`,
    TWITCH_API_URL: `${sandbox}/twitch/helix`,
  }
}

async function start(index: number, keys: Keys): Promise<void> {
  running[index] = startProgram('main', settingsOf(index, keys))
  await running[index].ready()
}

async function stop(index: number): Promise<void> {
  const product = running[index]
  running[index] = undefined
  product?.child.kill('SIGTERM')
  expect(await product?.exit).toBe(0)
}

/** One after the other, as a rolling restart goes; players meet old and new for a while. */
async function roll(keys: Keys): Promise<void> {
  for (const index of [0, 1]) {
    await stop(index)
    await start(index, keys)
    const before = played
    await expect.poll(() => played - before, { timeout: 60_000 }).toBeGreaterThan(5)
  }
}

async function refusedStart(keys: Keys): Promise<string> {
  const settings = { ...settingsOf(1, keys), PORT: String(await freePort()) }
  const product = startProgram('main', { ...settings, DATA_DIR: join(folder, 'refused') })
  expect(await product.exit).toBe(1)
  return product.errors().trim()
}

async function reseal(keys: Keys): Promise<string> {
  const command = startProgram('cli', settingsOf(1, keys), { words: ['reseal'] })
  expect([await command.exit, command.errors()]).toEqual([0, ''])
  return command.output()
}

const json = { 'content-type': 'application/json' }
type Call = { method?: string; body?: unknown }

async function ask<Answer>(tab: Browser, path: string, { method, body }: Call = {}) {
  const init = method === undefined ? {} : { method, headers: json, body: JSON.stringify(body) }
  const answer = await tab.open(path, init)
  const text = await answer.text()
  expect([path, answer.status, answer.status === 200 ? '' : text]).toEqual([path, 200, ''])
  return JSON.parse(text) as Answer
}

/** A player's tabs at both processes. */
function tabsOf(signedIn: Browser): Browser[] {
  return ports.map((port) => {
    const tab = new Browser(`http://127.0.0.1:${port}`)
    for (const [name, value] of signedIn.cookies) tab.cookies.set(name, value)
    return tab
  })
}

async function newPlayer(name: string): Promise<Browser[]> {
  const first = new Browser(`http://127.0.0.1:${ports[0]}`)
  expect(await first.signIn(name)).toBe('/dashboard')
  return tabsOf(first)
}

/** Plays at one process after the other, wherever one runs, until `during` has ended. */
async function playsThrough(tabs: Browser[], during: () => Promise<void>): Promise<number> {
  const before = played
  let isOver = false
  const player = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const served = running[turn % 2]
      await new Promise((resolve) => setTimeout(resolve, 30))
      if (served === undefined || !served.output().includes('is ready at')) continue
      try {
        await playOnce(tabs[turn % 2]!)
        played += 1
      } catch (error) {
        // A process that stops meanwhile ends its connections; what it answers must be right.
        if (running[turn % 2] === served) throw error
      }
    }
  })()
  const work = during().finally(() => {
    isOver = true
  })
  await Promise.all([work, player])
  return played - before
}

/** Each opening has the process that is asked open a sealed seed and seal the next one. */
async function playOnce(tab: Browser): Promise<void> {
  const packs = await ask<{ packTypeId: number; quantity: number }[]>(tab, '/api/user/packs')
  const pack = packs.find(({ quantity }) => quantity > 0)
  if (pack === undefined) return
  const order = { packTypeId: pack.packTypeId, quantity: 1 }
  await ask(tab, '/api/packs/open', { method: 'POST', body: order })
}

const rows = <Row>(name: string, text: string) => database.db.run<Row>(statement(name, text), [])

describe.skipIf(!hasPostgres)('encryption keys on two processes (PostgreSQL)', () => {
  beforeAll(async () => {
    await buildServer()
    database = await postgresTestDatabase()
    ports = [await freePort(), await freePort()]
  }, 120_000)
  afterAll(async () => {
    for (const product of running) product?.child.kill('SIGKILL')
    await Promise.all(running.map((product) => product?.exit))
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('a wrong key is refused, and the right one goes on', { timeout: 300_000 }, async () => {
    await start(0, { now: keyA })
    const [ana] = await newPlayer('ana')
    await playOnce(ana!)
    await stop(0)
    const look = () =>
      rows(
        'look_before_and_after',
        `SELECT (SELECT count(*)::int FROM encryption_keys) AS keys,
           (SELECT count(*)::int FROM sessions) AS sessions,
           (SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM twitch_sign_ins t) AS tokens`,
      )
    const before = await look()
    const line = await refusedStart({ now: keyC })
    expect(line.split('\n')).toHaveLength(1)
    expect(line).toMatch(/^ENCRYPTION_KEY is not the key that the database was sealed with/)
    for (const key of [keyA, keyC]) expect(line).not.toContain(key)
    expect(await look()).toEqual(before)
    await start(0, { now: keyA })
    expect(await ask(ana!, '/api/auth/me')).toMatchObject({ username: 'ana' })
    tell({
      fault: 'a process starts with another ENCRYPTION_KEY',
      promise: 'refused in one line, exit 1, nothing changed, nobody signed out',
      seen: `exit 1, "${line.slice(0, 60)}..."`,
    })
  })

  it('a new key takes the place of the old one without a failed request', {
    timeout: 500_000,
  }, async () => {
    await start(1, { now: keyA })
    const [ben, cleo] = [await newPlayer('ben'), await newPlayer('cleo')]
    let turns = 0
    // 1. The new key opens everywhere before anything is sealed with it.
    turns += await playsThrough(ben, () => roll({ now: keyA, also: keyB }))
    // 2. The new key seals; the processes that still seal with the old one open what it sealed.
    turns += await playsThrough(cleo, () => roll({ now: keyB, also: keyA }))
    expect(await refusedStart({ now: keyB })).toContain('ENCRYPTION_KEY_PREVIOUS')
    expect(await refusedStart({ now: keyA })).toContain('ENCRYPTION_KEY_PREVIOUS')
    // 3. Everything is sealed anew beside the product, and the old key is left out.
    let said = ''
    turns += await playsThrough(ben, async () => {
      said = await reseal({ now: keyB, also: keyA })
    })
    expect(said).toMatch(/^Sealed anew with the key [0-9a-f]{16}: .*server seeds/m)
    expect(said).toMatch(/^Nothing is sealed with the key [0-9a-f]{16} any more: leave it out$/m)
    turns += await playsThrough(cleo, () => roll({ now: keyB }))
    for (const tab of [...ben, ...cleo]) await playOnce(tab)
    expect(turns).toBeGreaterThan(30)
    expect(running.map((product) => product?.errors())).toEqual(['', ''])
    expect(await refusedStart({ now: keyA })).toContain('ENCRYPTION_KEY is not the key')
    tell({
      fault: 'ENCRYPTION_KEY changed on two processes, one restarted after the other',
      promise: 'no failed request, nobody signed out, the old key left out at the end',
      seen: `${turns} turns of play at both meanwhile, 0 failed; ${said.trim().split('\n')[0]}`,
    })
    await Promise.all([stop(0), stop(1)])
    await expectTrueBooks(settingsOf(1, { now: keyB }))
  })
})
