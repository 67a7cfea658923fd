// How far an append-only table has settled: up to which id no transaction can add another row.

import { setTimeout as pause } from 'node:timers/promises'
import type { Queryable } from './database.ts'
import { oneValueQuery } from './queries.ts'

// Whoever inserts has locked the table in this way before its row gets an id, and until it ends.
/** Marks of the transactions that are writing to a table now, the caller's own left out. */
export const writersOf = oneValueQuery<{ writers: string[] }, [table: string]>(
  'read_writers_of_table',
  `SELECT coalesce(array_agg(DISTINCT virtualtransaction), '{}') AS writers FROM pg_locks
   WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND relation = $1::text::regclass AND pid <> pg_backend_pid()`,
)

const lookAgainMillis = 20

/**
 * Waits until every transaction has ended that is writing to `table` now, for `millisMax` at most.
 * Rows with ids that were given out before the call are then all visible to the next statement of a
 * READ COMMITTED transaction, or never. Answers false when one of them still writes.
 */
export async function untilWritersEnd(
  db: Queryable,
  table: string,
  millisMax: number,
): Promise<boolean> {
  const until = performance.now() + millisMax
  let left = await writersOf(db, table)
  while (left.length > 0) {
    if (performance.now() > until) return false
    await pause(lookAgainMillis)
    const writing = new Set(await writersOf(db, table))
    left = left.filter((mark) => writing.has(mark))
  }
  return true
}
