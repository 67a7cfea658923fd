// A process killed in the middle of checking the books: the next one goes on, and rings.

import { beforeAll, describe, expect, it } from 'vitest'
import { writeBooks } from '../../../bench/books-scene.ts'
import { statement } from '../../src/adapters/db/database.ts'
import { allInvariants } from '../../src/features/books/invariants.ts'
import { freePort, type ProductProcess } from '../product-process.ts'
import { type PostgresDatabase, usePrograms } from '../programs.ts'
import { hasPostgres } from '../test-database.ts'
import { expectTrueBooks, tell } from './fault-table.ts'
import { loadSettings } from './keyed-load.ts'

const programs = usePrograms('books')
const openings = 20_000
/** Invariants that the books have. */
const all = allInvariants({ keyIds: [], open: () => undefined }).length

let database: PostgresDatabase | undefined
let product: ProductProcess | undefined

interface Row {
  readonly invariant: string
  readonly checked_at: Date | null
  readonly broken_rows: number | null
  readonly failure: string | null
}
const sql = <Result = Row>(name: string, text: string) =>
  database!.db.run<Result>(statement(`books_fault_${name}`, text), [])
const rows = () => sql('rows', 'SELECT * FROM books_checks ORDER BY checked_at')
const finished = async () => (await rows()).filter((row) => row.checked_at !== null)

async function start(): Promise<Record<string, string>> {
  const settings = {
    ...loadSettings({ DATABASE_URL: database!.url }, await freePort(), programs.folder),
    // What the books of the scene are sealed with.
    ENCRYPTION_KEY: '5e'.repeat(32),
    LOG_SIGNING_KEY: '10'.repeat(32),
    SEED_DEMO: 'off',
  }
  product = await programs.start(settings)
  return settings
}

async function stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  product?.child.kill(signal)
  await product?.exit
}

describe.skipIf(!hasPostgres)('a check of the books that is cut off (PostgreSQL)', () => {
  beforeAll(async () => {
    database = await programs.database()
    await writeBooks(database.db, openings, () => undefined)
  })

  it('is gone on with by the next process, not begun anew', async () => {
    await start()
    await expect
      .poll(async () => (await finished()).length, { interval: 10, timeout: 60_000 })
      .toBeGreaterThan(3)
    await stop('SIGKILL')
    const before = await finished()
    expect(before.length).toBeLessThan(all)
    // Nobody waits a minute for the lease of the dead and the next turn.
    await sql(
      'lease',
      `UPDATE jobs SET lease_until = now(), next_run_at = now()
       WHERE name = 'overview-check-books'`,
    )
    const settings = await start()
    const startedMillis = performance.now()
    await expect.poll(async () => (await finished()).length, { timeout: 90_000 }).toBe(all)
    const tookMillis = Math.round(performance.now() - startedMillis)
    const after = await finished()
    // What the dead one had finished was not looked at again.
    for (const row of before) {
      expect(after.find(({ invariant }) => invariant === row.invariant)?.checked_at).toEqual(
        row.checked_at,
      )
    }
    expect(after.filter((row) => row.broken_rows !== 0 || row.failure !== null)).toEqual([])
    await stop('SIGTERM')
    await expectTrueBooks(settings)
    tell({
      fault: `kill -9 in the middle of checking the books of ${openings} openings`,
      promise: 'the next process goes on where the check was, and the alarm stays on',
      seen: `${before.length} of ${all} invariants stood and were kept; the rest took ${tookMillis} ms`,
    })
  })
})
