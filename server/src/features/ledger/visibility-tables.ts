// The SQL of who takes part in the public ranking.

import { type Queryable, statement } from '../../adapters/db/database.ts'

const setHidden = statement(
  'set_hidden_from_leaderboard',
  `UPDATE users SET is_hidden_from_leaderboard = $2, updated_at = $3
   WHERE id = $1 AND deleted_at IS NULL RETURNING id`,
)

/** Answers false when nobody is there. */
export async function writeVisibility(
  db: Queryable,
  userId: number,
  isHidden: boolean,
  now: Date,
): Promise<boolean> {
  return (await db.run(setHidden, [userId, isHidden, now])).length > 0
}
