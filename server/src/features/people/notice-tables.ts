// The SQL of how far somebody has read their notices.

import { type Queryable, statement } from '../../adapters/db/database.ts'

const setReadUntil = statement(
  'set_notices_read',
  `-- not null: notices_read_at (it is written here)
   UPDATE users SET notices_read_at = greatest(notices_read_at, $2)
   WHERE id = $1 AND deleted_at IS NULL RETURNING notices_read_at`,
)

/**
 * Moves the mark forward, never back; answers where it stands, undefined when nobody is there.
 */
export async function writeReadUntil(
  db: Queryable,
  userId: number,
  readUntil: Date,
): Promise<Date | undefined> {
  const rows = await db.run<{ notices_read_at: Date }>(setReadUntil, [userId, readUntil])
  return rows[0]?.notices_read_at
}
