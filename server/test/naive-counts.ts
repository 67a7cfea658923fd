// Places and totals by counting everybody, to compare with what is kept counted.

import { type Queryable, statement } from '../src/adapters/db/database.ts'
import { peopleTotal, redCoinTotal } from '../src/features/ledger/people-totals-sql.ts'

const countPlaces = statement(
  'test_naive_places',
  `SELECT me.id, CASE WHEN me.red_coin_balance > 0 AND NOT me.is_protected THEN (
     SELECT count(*)::int + 1 FROM users u
     WHERE u.red_coin_balance > 0 AND NOT u.is_protected AND NOT u.is_hidden_from_leaderboard
       AND u.deleted_at IS NULL AND (u.red_coin_balance > me.red_coin_balance
         OR u.red_coin_balance = me.red_coin_balance AND u.id < me.id)) END AS place
   FROM users me WHERE me.deleted_at IS NULL ORDER BY me.id`,
)
const countTotals = statement(
  'test_naive_totals',
  `SELECT count(*) FILTER (WHERE deleted_at IS NULL)::int AS people,
     coalesce(sum(red_coin_balance), 0)::bigint AS "redCoin" FROM users`,
)

export interface Place {
  readonly id: number
  readonly place: number | null
}

/** Everybody's place, as the specification says it; null for none. */
export function naivePlaces(db: Queryable): Promise<Place[]> {
  return db.run<Place>(countPlaces, [])
}

/** How many people there are, and what they have. */
export async function naiveTotals(db: Queryable) {
  return (await db.run<{ people: number; redCoin: number }>(countTotals, []))[0]
}

const keptTotals = statement(
  'test_kept_totals',
  `SELECT ${peopleTotal}::int AS people, ${redCoinTotal}::bigint AS "redCoin"`,
)

/** The same as it is kept. */
export async function readTotals(db: Queryable) {
  return (await db.run<{ people: number; redCoin: number }>(keptTotals, []))[0]
}
