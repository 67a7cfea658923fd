// The SQL of finding tables that need care.

import { type Queryable, statement } from '../../adapters/db/database.ts'

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
const findWorn = statement(
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

/** Worn tables, those with most dead rows first, at most `limit`. */
export function bloatedTables(db: Queryable, limit: number): Promise<BloatedTable[]> {
  return db.run<BloatedTable>(findWorn, [limit])
}
