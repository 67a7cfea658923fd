// Encryption keys on two processes over one PostgreSQL: a wrong one is refused, and a new one takes
// the place of the old one while people go on playing, as docs/operating.md says.

import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { statement } from '../../src/adapters/db/database.ts'
import { freePort, type ProductProcess } from '../product-process.ts'
import { type PostgresDatabase, runCommand, usePrograms } from '../programs.ts'
import { Browser } from '../sign-in.ts'
import { hasPostgres } from '../test-database.ts'
import { expectTrueBooks, tell } from './fault-table.ts'
import { loadSettings } from './keyed-load.ts'

const programs = usePrograms('keys')
const [keyA, keyB, keyC] = ['1c'.repeat(32), '2d'.repeat(32), '3e'.repeat(32)]

interface Keys {
  readonly now: string
  readonly also?: string
}

let database: PostgresDatabase
let ports: number[] = []
const running: (ProductProcess | undefined)[] = []
/** Turns of players that went well. */
let played = 0

function settingsOf(index: number, { now, also }: Keys): Record<string, string> {
  const sandbox = `http://127.0.0.1:${ports[0]}/sandbox`
  return {
    ...loadSettings(
      { DATABASE_URL: database.url },
      ports[index]!,
      join(programs.folder, `${index}`),
    ),
    ENCRYPTION_KEY: now,
    ...(also === undefined ? {} : { ENCRYPTION_KEY_PREVIOUS: also }),
    PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    TWITCH_ID_URL: `${sandbox}/twitch/id`,
    TWITCH_API_URL: `${sandbox}/twitch/helix`,
  }
}

async function start(index: number, keys: Keys): Promise<void> {
  running[index] = programs.launch(settingsOf(index, keys))
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
  const product = programs.launch({ ...settings, DATA_DIR: join(programs.folder, 'refused') })
  expect(await product.exit).toBe(1)
  return product.errors().trim()
}

async function reseal(keys: Keys): Promise<string> {
  const { code, output, errors } = await runCommand(['reseal'], settingsOf(1, keys))
  expect([code, errors]).toEqual([0, ''])
  return output
}

/** A player's tabs at both processes. */
async function newPlayer(name: string): Promise<Browser[]> {
  const first = new Browser(`http://127.0.0.1:${ports[0]}`)
  expect(await first.signIn(name)).toBe('/dashboard')
  return ports.map((port) => first.tab(`http://127.0.0.1:${port}`))
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
  const packs = await tab.json<{ packTypeId: number; quantity: number }[]>('/api/user/packs')
  const pack = packs.find(({ quantity }) => quantity > 0)
  if (pack === undefined) return
  await tab.json('/api/packs/open', { packTypeId: pack.packTypeId, quantity: 1 })
}

const rows = <Row>(name: string, text: string) => database.db.run<Row>(statement(name, text), [])

describe.skipIf(!hasPostgres)('encryption keys on two processes (PostgreSQL)', () => {
  beforeAll(async () => {
    database = await programs.database()
    ports = [await freePort(), await freePort()]
  }, 120_000)

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
    expect(await ana!.json('/api/auth/me')).toMatchObject({ username: 'ana' })
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
