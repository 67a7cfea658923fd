// What a caller hears when PostgreSQL stops answering: a real server behind a network of our own.

import { describe, expect, it, type TestContext } from 'vitest'
import { startSwallowingProxy } from '../../../test/faults/swallowing-proxy.ts'
import { hasPostgres } from '../../../test/test-database.ts'
import { testPostgresUrl } from '../../../test/test-services.ts'
import { statement } from './database.ts'
import { openPostgres } from './postgres.ts'
import { atOneMoment, DatabaseUnavailable } from './retry.ts'

const one = statement('hung_one', 'SELECT 1 AS one')
const write = statement('hung_write', 'CREATE TEMPORARY TABLE IF NOT EXISTS hung (id int)')
const brief = statement('hung_brief', 'SELECT pg_sleep(0.2)')
const slow = statement('hung_slow', 'SELECT pg_sleep(3)')
/** A database of its own for each test: they wait beside one another. */
async function scene({ onTestFinished }: TestContext) {
  const url = new URL(testPostgresUrl)
  const network = await startSwallowingProxy(Number(url.port || 5432))
  url.host = `127.0.0.1:${network.port}`
  const states: string[] = []
  const db = openPostgres({
    url: url.href,
    connectionsMax: 4,
    onError: () => undefined,
    onChange: (state) => states.push(state),
  })
  onTestFinished(async () => {
    await db.close()
    await network.close()
  })
  return { network, db, states }
}

/** How long something took to be refused as unavailable, in milliseconds. */
async function refusedAfter(work: Promise<unknown>): Promise<number> {
  const startMillis = performance.now()
  await expect(work).rejects.toThrow(DatabaseUnavailable)
  return performance.now() - startMillis
}

describe.skipIf(!hasPostgres)('a PostgreSQL that stops answering', { concurrent: true }, () => {
  it('is refused within six seconds, to long work as well, then at once, until it is back', async (test) => {
    const { network, db, states } = await scene(test)
    await db.run(one, [])
    const long = db.longTransaction(60_000, async (tx) => {
      await tx.run(one, [])
      network.swallow()
      await tx.run(one, [])
    })
    expect(await refusedAfter(long)).toBeLessThan(6_000)
    expect(await refusedAfter(db.run(one, []))).toBeLessThan(2_000)
    expect(await refusedAfter(db.transaction((tx) => tx.run(one, [])))).toBeLessThan(2_000)
    network.passAgain()
    await test.expect
      .poll(() => db.run(one, []).catch(() => []), { timeout: 5_000 })
      .toHaveLength(1)
    expect(states).toEqual(['away', 'well'])
  }, 20_000)

  it('on the connections that were open alone costs one answer, and no state', async (test) => {
    const { network, db, states } = await scene(test)
    await Promise.all([db.run(brief, []), db.run(brief, [])])
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

  it('keeps nobody from closing', async (test) => {
    const { network, db } = await scene(test)
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

describe.skipIf(!hasPostgres)('the pool', { concurrent: true }, () => {
  it('leaves a connection to reads while slow writes hold the others', async (test) => {
    const { db } = await scene(test)
    let areHeld = true
    const holding = [1, 2, 3].map(() =>
      db
        .transaction((tx) => tx.run(slow, []))
        .finally(() => {
          areHeld = false
        }),
    )
    const refused = refusedAfter(db.run(write, []))
    await db.run(one, [])
    await atOneMoment(db, (tx) => tx.run(one, []))
    expect(areHeld).toBe(true)
    await refused
    await Promise.all(holding)
  }, 20_000)

  it('reads at one moment, and writes nothing there', async (test) => {
    const { db } = await scene(test)
    const level = statement('read_level', "SELECT current_setting('transaction_isolation') AS text")
    expect(await atOneMoment(db, (tx) => tx.run(level, []))).toEqual([{ text: 'repeatable read' }])
    const writing = atOneMoment(db, (tx) => tx.run(write, []))
    await expect(writing).rejects.toMatchObject({ code: '25006' })
  })

  it('compiles no plans, inside and outside of transactions', async (test) => {
    const { db } = await scene(test)
    const read = statement('read_jit', "SELECT current_setting('jit') AS jit")
    expect(await db.run(read, [])).toEqual([{ jit: 'off' }])
    expect(await db.transaction((tx) => tx.run(read, []))).toEqual([{ jit: 'off' }])
  })

  it('gives statements of a transaction more time when it allows it', async (test) => {
    const { db } = await scene(test)
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
