// Upkeep of what belongs to no feature: idempotency keys that no client asks for any more, and what
// autovacuum does on a PostgreSQL server, for the embedded database, which has no workers: without
// it tables and indexes grow with each change, and plans stay those of an empty database.

import { countQuery, rowsQuery } from '../../adapters/db/queries.ts'
import type { Deps } from '../../adapters/deps.ts'

/** Removes idempotency keys from before a time, at most `limit` of them; answers how many. */
export const deleteOldKeys = countQuery<[before: Date, limit: number]>(
  'remove_old_idempotency_keys',
  `DELETE FROM idempotency_keys WHERE (user_id, route, key) IN (
     SELECT user_id, route, key FROM idempotency_keys WHERE created_at < $1
     ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING 1 AS gone`,
)

/** Clients may count on 24 hours; the second day is for those whose clock is wrong. */
const keptMillis = 48 * 3_600_000
const batchMax = 500

/** May run at any time and as often as one likes. */
export async function clearOldKeys({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMillis)
  while ((await deleteOldKeys(db, before, batchMax)) === batchMax);
}

/** A table with much that is dead, or much that no plan knows of yet. */
export interface BloatedTable {
  /** As it may stand in a script. */
  readonly quotedName: string
  readonly isFullOfDeadRows: boolean
}

/**
 * Thresholds as PostgreSQL's autovacuum has them by default:
 * https://www.postgresql.org/docs/current/runtime-config-autovacuum.html
 */
/** Worn tables, those with most dead rows first, at most `limit`. */
export const bloatedTables = rowsQuery<BloatedTable, [limit: number]>(
  'find_bloated_tables',
  `SELECT quote_ident(s.relname) AS "quotedName",
     s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0) AS "isFullOfDeadRows"
   FROM pg_stat_user_tables s
   JOIN pg_class c ON c.oid = s.relid
   WHERE s.schemaname = current_schema()
     AND (s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
       OR s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0))
   ORDER BY s.n_dead_tup DESC, s.relid
   LIMIT $1`,
)

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
