// What a caller hears when PostgreSQL stops answering: a real server behind a network of our own.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type SwallowingProxy,
  startSwallowingProxy,
} from '../../../test/faults/swallowing-proxy.ts'
import { isPostgresReachable } from '../../../test/test-database.ts'
import { testPostgresUrl } from '../../../test/test-services.ts'
import { type Database, statement } from './database.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'
import { openPostgres } from './postgres.ts'

const one = statement('hung_one', 'SELECT 1 AS one')
const write = statement('hung_write', 'CREATE TEMPORARY TABLE IF NOT EXISTS hung (id int)')
const slow = statement('hung_slow', 'SELECT pg_sleep(3)')
let network: SwallowingProxy
let db: Database
let states: string[] = []

beforeEach(async () => {
  const url = new URL(testPostgresUrl)
  network = await startSwallowingProxy(Number(url.port || 5432))
  url.host = `127.0.0.1:${network.port}`
  states = []
  db = openPostgres({
    url: url.href,
    connectionsMax: 4,
    onError: () => undefined,
    onChange: (state) => states.push(state),
  })
})
afterEach(async () => {
  await db.close()
  await network.close()
})

/** How long something took to be refused as unavailable, in milliseconds. */
async function refusedAfter(work: Promise<unknown>): Promise<number> {
  const startMillis = performance.now()
  await expect(work).rejects.toThrow(DatabaseUnavailable)
  return performance.now() - startMillis
}

describe.skipIf(!(await isPostgresReachable()))('a PostgreSQL that stops answering', () => {
  it('is refused within six seconds, to long work as well, then at once, until it is back', async () => {
    await db.run(one, [])
    const long = db.patient(60_000, async (tx) => {
      await tx.run(one, [])
      network.swallow()
      await tx.run(one, [])
    })
    expect(await refusedAfter(long)).toBeLessThan(6_000)
    expect(await refusedAfter(db.run(one, []))).toBeLessThan(2_000)
    expect(await refusedAfter(db.transaction((tx) => tx.run(one, [])))).toBeLessThan(2_000)
    network.passAgain()
    await expect.poll(() => db.run(one, []).catch(() => []), { timeout: 5_000 }).toHaveLength(1)
    expect(states).toEqual(['away', 'well'])
  }, 20_000)

  it('on the connections that were open alone costs one answer, and no state', async () => {
    await Promise.all([db.run(slow, []), db.run(slow, [])])
    network.swallow()
    network.passAgain()
    const millis = await refusedAfter(db.run(one, []))
    expect(millis).toBeGreaterThan(4_000)
    expect(millis).toBeLessThan(6_000)
    const startMillis = performance.now()
    await db.run(one, [])
    await db.run(one, [])
    expect(performance.now() - startMillis).toBeLessThan(3_000)
    expect(states).toEqual([])
  }, 20_000)

  it('keeps nobody from closing', async () => {
    let isHung: () => void = () => undefined
    const hanging = new Promise<void>((resolve) => {
      isHung = resolve
    })
    const hung = db.transaction(async (tx) => {
      await tx.run(one, [])
      network.swallow()
      isHung()
      await tx.run(one, [])
    })
    const refused = refusedAfter(hung)
    await hanging
    const startMillis = performance.now()
    await db.close()
    await refused
    expect(performance.now() - startMillis).toBeLessThan(2_500)
    await expect(db.run(one, [])).rejects.toThrow('connections are closed')
  }, 20_000)
})

describe.skipIf(!(await isPostgresReachable()))('the pool', () => {
  it('leaves a connection to reads while slow writes hold the others', async () => {
    const holding = [1, 2, 3].map(() => db.transaction((tx) => tx.run(slow, [])))
    const refused = refusedAfter(db.run(write, []))
    const startMillis = performance.now()
    await db.run(one, [])
    expect(performance.now() - startMillis).toBeLessThan(1_000)
    expect(await refused).toBeLessThan(3_000)
    await Promise.all(holding)
  }, 20_000)

  it('compiles no plans, inside and outside of transactions', async () => {
    const read = statement('read_jit', "SELECT current_setting('jit') AS jit")
    expect(await db.run(read, [])).toEqual([{ jit: 'off' }])
    expect(await db.transaction((tx) => tx.run(read, []))).toEqual([{ jit: 'off' }])
  })

  it('gives statements of a transaction more time when it allows it', async () => {
    const limit = statement('hung_limit', "SELECT current_setting('statement_timeout') AS text")
    expect(await db.run(limit, [])).toEqual([{ text: '5s' }])
    const allowed = await db.transaction(async (tx) => {
      await tx.allow(120_000)
      return tx.run(limit, [])
    })
    expect(allowed).toEqual([{ text: '2min' }])
    expect(await db.run(limit, [])).toEqual([{ text: '5s' }])
    await expect(db.allow(1)).rejects.toThrow('Only a transaction')
  })
})
