// What everyone sees of balances: the ranking, and the caller's own place in it.

import type { LeaderboardEntry, OwnRank } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { DomainError } from '../../shared/domain-error.ts'

// The conditions are those of the index users_ranking, which holds the rows in this order.
const isRanked = `red_coin_balance > 0 AND NOT is_protected AND NOT is_hidden_from_leaderboard
     AND deleted_at IS NULL`
const ranked =
  'display_name AS "displayName", username, avatar, red_coin_balance AS "redCoinBalance"'

const readRanking = statement(
  'read_leaderboard',
  `SELECT ${ranked}
   FROM users
   WHERE ${isRanked}
   ORDER BY red_coin_balance DESC, id
   LIMIT $1`,
)

/**
 * The `limit` highest balances above 0, equal ones by id. The protected account is left
 * out, since its name must not be public, and so is everyone who wants to stay hidden.
 */
export async function leaderboard(db: Queryable, limit: number): Promise<LeaderboardEntry[]> {
  const rows = await db.run<Omit<LeaderboardEntry, 'rank'>>(readRanking, [limit])
  return rows.map((row, index) => ({ rank: index + 1, ...row }))
}

const neighboursEachSide = 2

const balance = '(SELECT red_coin_balance FROM me)'
const higherUp = `red_coin_balance >= ${balance} AND (red_coin_balance > ${balance} OR id < $1)`
const lowerDown = `red_coin_balance <= ${balance} AND (red_coin_balance < ${balance} OR id > $1)`

// The comparisons with the balance alone are what the index can use. One statement sees one moment.
const readOwnRank = statement(
  'read_own_rank',
  `WITH me AS MATERIALIZED (
     SELECT * FROM users WHERE id = $1 AND deleted_at IS NULL
   ), ranked AS NOT MATERIALIZED (
     SELECT * FROM users WHERE ${isRanked}
   ), above AS (
     SELECT * FROM ranked WHERE ${higherUp}
     ORDER BY red_coin_balance, id DESC LIMIT ${neighboursEachSide}
   ), below AS (
     SELECT * FROM ranked WHERE ${lowerDown}
     ORDER BY red_coin_balance DESC, id LIMIT ${neighboursEachSide}
   )
   SELECT (SELECT count(*)::int FROM ranked WHERE ${higherUp}) AS higher, id,
     is_protected AS "isProtected", is_hidden_from_leaderboard AS "isHidden", ${ranked}
   FROM (SELECT * FROM above UNION ALL SELECT * FROM me UNION ALL SELECT * FROM below) near
   ORDER BY red_coin_balance DESC, id`,
)

interface NearRow extends Omit<LeaderboardEntry, 'rank'> {
  /** How many people of the public ranking stand above the caller. */
  readonly higher: number
  readonly id: number
  readonly isProtected: boolean
  readonly isHidden: boolean
}

/**
 * The caller's place among everyone in the public ranking. Others carry the rank that everyone
 * sees; a hidden caller sees the rank they would have, which the next person then has in public.
 * @throws DomainError unauthorized when the account is gone
 */
export async function ownRank(db: Queryable, userId: number): Promise<OwnRank> {
  const rows = await db.run<NearRow>(readOwnRank, [userId])
  const at = rows.findIndex(({ id }) => id === userId)
  const me = rows[at]
  if (me === undefined) throw new DomainError('unauthorized', 'Unauthorized')
  const { higher, isHidden, isProtected, redCoinBalance } = me
  if (redCoinBalance === 0 || isProtected) {
    return { rank: null, redCoinBalance, isHidden, neighbours: [] }
  }
  const rank = higher + 1
  const neighbours = rows.map(({ displayName, username, avatar, ...row }, index) => ({
    // Below somebody hidden the public ranks go on as if nobody stood there.
    rank: rank + index - at - (isHidden && index > at ? 1 : 0),
    displayName,
    username,
    avatar,
    redCoinBalance: row.redCoinBalance,
    isSelf: index === at,
  }))
  return { rank, redCoinBalance, isHidden, neighbours }
}
