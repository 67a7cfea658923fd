// The SQL of tidying up what belongs to no feature.

import { type Queryable, statement } from '../../adapters/db/database.ts'

const removeOldKeys = statement(
  'remove_old_idempotency_keys',
  `DELETE FROM idempotency_keys WHERE (user_id, route, key) IN (
     SELECT user_id, route, key FROM idempotency_keys WHERE created_at < $1
     ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING 1 AS gone`,
)

/** Removes idempotency keys from before a time, at most `limit` of them; answers how many. */
export async function deleteOldKeys(db: Queryable, before: Date, limit: number): Promise<number> {
  return (await db.run(removeOldKeys, [before, limit])).length
}
