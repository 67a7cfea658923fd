// What everyone sees of balances: the ranking.

import type { LeaderboardEntry } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'

// The conditions are those of the index users_ranking, which holds the rows in this order.
const readRanking = statement(
  'read_leaderboard',
  `SELECT display_name AS "displayName", username, avatar, red_coin_balance AS "redCoinBalance"
   FROM users
   WHERE red_coin_balance > 0 AND NOT is_protected AND NOT is_hidden_from_leaderboard
     AND deleted_at IS NULL
   ORDER BY red_coin_balance DESC, id
   LIMIT $1`,
)

/**
 * The `limit` highest balances above 0, equal ones by id. The protected account is left out,
 * since its name must not be public, and so is everyone hidden by staff.
 */
export async function leaderboard(db: Queryable, limit: number): Promise<LeaderboardEntry[]> {
  const rows = await db.run<Omit<LeaderboardEntry, 'rank'>>(readRanking, [limit])
  return rows.map((row, index) => ({ rank: index + 1, ...row }))
}
