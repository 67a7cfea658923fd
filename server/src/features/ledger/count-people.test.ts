// Places and totals are what counting everybody says, whatever happened and whenever it was
// counted.

import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'
import { naivePlaces, naiveTotals, readTotals } from '../../../test/naive-counts.ts'
import { statement } from '../../adapters/db/database.ts'
import { countPeople } from './count-people.ts'
import { ownRank } from './views.ts'

const t = useTestDeps()
const peopleCount = 14
const usual = { changesMin: 0, changesMax: 1_000, peoplePerMark: 2 }

const addPeople = statement(
  'test_add_people',
  `INSERT INTO users (id, username, display_name, red_coin_balance)
   SELECT n, 'u' || n, 'U', n % 4 * 10 FROM generate_series(1, $1) n`,
)
/** What may happen to somebody; `$1` is the user. */
const happenings = {
  gain: 'UPDATE users SET red_coin_balance = red_coin_balance + 10 WHERE id = $1',
  loss: 'UPDATE users SET red_coin_balance = greatest(0, red_coin_balance - 10) WHERE id = $1',
  lot: 'UPDATE users SET red_coin_balance = 1000 + $1 WHERE id = $1',
  hide: `UPDATE users SET is_hidden_from_leaderboard = NOT is_hidden_from_leaderboard
    WHERE id = $1`,
  protect: 'UPDATE users SET is_protected = NOT is_protected WHERE id = 1 AND $1 > 0',
  leave: `UPDATE users SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END WHERE id = $1`,
  everybody: 'UPDATE users SET red_coin_balance = red_coin_balance + 10 WHERE $1 > 0',
  come: `INSERT INTO users (id, username, display_name, red_coin_balance)
    SELECT max(id) + 1, 'new', 'N', $1::int % 3 FROM users`,
} as const
const happening = fc.record({
  what: fc.constantFrom(...(Object.keys(happenings) as (keyof typeof happenings)[])),
  who: fc.integer({ min: 1, max: peopleCount }),
  /** Counts changes, counts everybody, or neither. */
  counting: fc.constantFrom('no', 'no', 'changes', 'everybody'),
})

async function expectRight() {
  expect(await readTotals(t.db)).toEqual(await naiveTotals(t.db))
  for (const { id, place } of await naivePlaces(t.db)) {
    expect({ id, place: (await ownRank(t.db, id)).rank }).toEqual({ id, place })
  }
}

describe('counting people', () => {
  it('changes no place and no total, in any order of changes and countings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 12 }), async (story) => {
        await t.rows('DELETE FROM users')
        await t.db.run(addPeople, [peopleCount])
        // Counting everybody sets marks.
        await countPeople(t.deps, { ...usual, changesMax: 0 })
        for (const { what, who, counting } of story) {
          await t.rows(happenings[what], [who])
          const changesMax = counting === 'everybody' ? 0 : usual.changesMax
          if (counting !== 'no') await countPeople(t.deps, { ...usual, changesMax })
        }
        // The beginning of a story is a story too.
        await expectRight()
      }),
      { numRuns: 30 },
    )
  }, 240_000)

  it('sets marks as dense as the people, and leaves few changes to be read', async () => {
    await t.db.run(addPeople, [60])
    await countPeople(t.deps, { ...usual, peoplePerMark: 10 })
    expect(await t.rows('SELECT ranked FROM ranking_marks ORDER BY ranked')).toEqual(
      [10, 20, 30, 40].map((ranked) => ({ ranked })),
    )
    await t.rows('UPDATE users SET red_coin_balance = 500 WHERE id = 4')
    await countPeople(t.deps, { ...usual, peoplePerMark: 10 })
    expect(await t.rows('SELECT ranked FROM ranking_marks ORDER BY ranked')).toEqual(
      [11, 21, 31, 41].map((ranked) => ({ ranked })),
    )
    expect(await t.column('SELECT count(*)::int FROM people_changes')).toEqual([0])
    await t.rows('UPDATE users SET red_coin_balance = 600 WHERE id = 4')
    await countPeople(t.deps, { ...usual, changesMin: 2 })
    expect(await t.column('SELECT count(*)::int FROM people_changes')).toEqual([1])
  })

  it('sets new marks where many have come between two', async () => {
    const limits = { ...usual, peoplePerMark: 10 }
    await t.db.run(addPeople, [60])
    await countPeople(t.deps, limits)
    await t.rows(`INSERT INTO users (id, username, display_name, red_coin_balance)
      SELECT n, 'v' || n, 'V', 25 FROM generate_series(101, 150) n`)
    await countPeople(t.deps, limits)
    const marks = await t.column('SELECT ranked FROM ranking_marks ORDER BY ranked')
    expect(marks).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90])
  })

  it('is told of when it had been wrong, and right afterwards', async () => {
    await t.db.run(addPeople, [9])
    await countPeople(t.deps, usual)
    await t.rows('UPDATE people_counts SET people = people + 1')
    expect(await readTotals(t.db)).not.toEqual(await naiveTotals(t.db))
    t.clock.advance(86_401)
    const told = vi.spyOn(t.deps.log, 'error')
    await countPeople(t.deps, usual)
    expect(await readTotals(t.db)).toEqual(await naiveTotals(t.db))
    expect(told.mock.calls).toEqual([['people were counted wrongly, and were counted anew']])
  })
})
