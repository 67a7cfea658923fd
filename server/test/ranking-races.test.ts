// Places while balances change, people hide and leave, and two processes count, on PostgreSQL where
// all that happens at once: each reading is what counting everybody says at the same moment.

import { beforeEach, describe, expect, it } from 'vitest'
import { type Queryable, statement } from '../src/adapters/db/database.ts'
import { countPeople } from '../src/features/ledger/count-people.ts'
import { ownRank } from '../src/features/ledger/views.ts'
import { usePostgresDeps } from './deps.ts'
import { heldTransaction } from './held-transaction.ts'
import { naivePlaces, naiveTotals, readTotals } from './naive-counts.ts'
import { seededNumbers } from './seeded-random.ts'
import { hasPostgres } from './test-database.ts'

const luck = seededNumbers()

const peopleCount = 300
/** How often each kind of work is done at least. */
const rounds = 40
const limits = { changesMin: 0, changesMax: 2_000, peoplePerMark: 10 }
const oneMoment = statement('test_one_moment', 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')

describe.skipIf(!hasPostgres)('the ranking on PostgreSQL', () => {
  const t = usePostgresDeps(16)
  beforeEach(async () => {
    await t.rows(
      `INSERT INTO users (username, display_name, red_coin_balance)
       SELECT 'u' || n, 'U', n % 20 * 5 FROM generate_series(1, $1::int) n`,
      [peopleCount],
    )
  })
  const anybody = () => 1 + Math.floor(luck() * peopleCount)
  const changes = [
    'UPDATE users SET red_coin_balance = red_coin_balance + 5 WHERE id = $1',
    'UPDATE users SET red_coin_balance = greatest(0, red_coin_balance - 5) WHERE id = $1',
    `UPDATE users SET is_hidden_from_leaderboard = NOT is_hidden_from_leaderboard WHERE id = $1`,
    'UPDATE users SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END WHERE id = $1',
    `INSERT INTO users (username, display_name, red_coin_balance) VALUES ('x', 'X', $1)`,
  ]

  /** Compares all places and totals inside one snapshot. */
  const look = (tx: Queryable) => async () => {
    const [kept, naive] = [await readTotals(tx), await naiveTotals(tx)]
    expect(kept).toEqual(naive)
    for (const { id, place } of await naivePlaces(tx)) {
      if (id % 7 === 0) expect([id, (await ownRank(tx, id)).rank]).toEqual([id, place])
    }
  }

  it('is right at every moment', async () => {
    let [changed, counted, looked] = [0, 0, 0]
    const isOn = () => Math.min(changed, counted, looked) < rounds
    const change = async () => {
      for (; isOn(); changed += 1) {
        const sql = changes[Math.floor(luck() * changes.length)] ?? ''
        // Some transactions stay open for a while after they wrote, or end in vain.
        const isSlow = luck() < 0.1
        const isUndone = luck() < 0.1
        await t.db
          .transaction(async (tx) => {
            await tx.run(statement(`test_${changes.indexOf(sql)}`, sql), [anybody()])
            if (isSlow) await new Promise((resolve) => setTimeout(resolve, 60))
            if (isUndone) throw new Error('undone')
          })
          .catch((error: Error) => expect(error.message).toBe('undone'))
      }
    }
    const count = async () => {
      for (; isOn(); counted += 1) {
        const changesMax = counted % 9 === 0 ? 0 : limits.changesMax
        await countPeople(t.deps, { ...limits, changesMax })
      }
    }
    const read = async () => {
      for (; isOn(); looked += 1) {
        await t.db.transaction(async (tx) => {
          await tx.run(oneMoment, [])
          await look(tx)()
        })
      }
    }
    await Promise.all([change(), change(), change(), change(), count(), count(), read(), read()])
    await look(t.db)()
  }, 60_000)

  it('settles changes while others write, so that reading does not begin at the first', async () => {
    const come = statement('test_come', changes.at(-1) ?? '')
    const write = () => heldTransaction(t.db, (tx) => tx.run(come, [5]))
    const settled = async () => {
      await countPeople(t.deps, limits)
      return t.value<number>('SELECT settled_id FROM people_counts')
    }
    const first = await write()
    expect([await settled(), await settled()]).toEqual([0, 0])
    const second = await write()
    await first.end()
    expect(await settled()).toBeGreaterThan(0)
    await second.end()
  })
})
