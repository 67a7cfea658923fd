// What autovacuum does on a PostgreSQL server, for the embedded database, which has no workers:
// without it tables and indexes grow with each change, and plans stay those of an empty database.

import type { Deps } from '../../adapters/deps.ts'
import { bloatedTables } from './bloat-tables.ts'

const tablesMax = 20

/**
 * Gives the room of dead rows back to their tables and counts anew what plans are made from. One
 * table at a time, and everybody else in between; does nothing on PostgreSQL. May run at any time.
 */
export async function vacuumEmbedded(
  { db }: Pick<Deps, 'db'>,
  stopping?: AbortSignal,
): Promise<void> {
  if (db.kind !== 'embedded') return
  for (const { quotedName, isFullOfDeadRows } of await bloatedTables(db, tablesMax)) {
    if (stopping?.aborted) return
    await db.script(`${isFullOfDeadRows ? 'VACUUM (ANALYZE)' : 'ANALYZE'} ${quotedName}`)
  }
}
