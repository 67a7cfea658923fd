// Histories summed up while transactions write to them that end in another order than their ids, on
// PostgreSQL: no row is passed over and none counts twice.

import { describe, expect, it } from 'vitest'
import { statement } from '../src/adapters/db/database.ts'
import { rowsOf } from '../src/features/books/history-sums-sql.ts'
import { sumHistories } from '../src/features/books/sum-histories.ts'
import { usePostgresDeps } from './deps.ts'
import { seededNumbers } from './seeded-random.ts'
import { hasPostgres } from './test-database.ts'

const luck = seededNumbers()

/** How often the sums are made and looked at. */
const rounds = 200
const write = statement('test_write_audit', `INSERT INTO audit_log (action) VALUES ('test.race')`)
const compare = statement(
  'test_compare_audit',
  `SELECT ${rowsOf('audit', 'audit_log')}::int AS kept, (SELECT count(*)::int FROM audit_log) AS rows`,
)

describe.skipIf(!hasPostgres)('summing up histories on PostgreSQL', () => {
  const t = usePostgresDeps(16)
  it('counts each row once', async () => {
    let [summed, looked] = [0, 0]
    const isOn = () => Math.min(summed, looked) < rounds
    const writer = async () => {
      while (isOn()) {
        await t.db
          .transaction(async (tx) => {
            await tx.run(write, [])
            await new Promise((resolve) => setTimeout(resolve, luck() ** 4 * 120))
            if (luck() < 0.1) throw new Error('undone')
          })
          .catch((error: Error) => expect(error.message).toBe('undone'))
      }
    }
    const summer = async () => {
      for (; isOn(); summed += 1) await sumHistories(t.deps, undefined, 1)
    }
    const reader = async () => {
      for (; isOn(); looked += 1) {
        const [row] = await t.db.run<{ kept: number; rows: number }>(compare, [])
        expect(row?.kept).toBe(row?.rows)
      }
    }
    await Promise.all([writer(), writer(), writer(), writer(), summer(), summer(), reader()])
    const sums = await t.rows<{ moved: boolean }>(
      `SELECT summed_id > 10 AS moved FROM history_sums WHERE name = 'audit'`,
    )
    expect(sums).toEqual([{ moved: true }])
  }, 60_000)
})
