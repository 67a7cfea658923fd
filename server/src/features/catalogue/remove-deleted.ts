// Removes what staff deleted long ago and pictures out of use, as far as nothing refers to them.

import { valuesQuery, writeQuery } from '../../adapters/db/queries.ts'
import { sqlState } from '../../adapters/db/retry.ts'
import type { Deps } from '../../adapters/deps.ts'
import { removeUnusedImages } from './image-tables.ts'

const archivedMax = 1_000

/** Rows that were deleted before a moment; the database refuses while anything refers to one. */
const statementsOf = (table: string) => ({
  find: valuesQuery<{ id: number }, [before: Date]>(
    `find_archived_${table}`,
    `SELECT id FROM ${table} WHERE archived_at < $1 ORDER BY id LIMIT ${archivedMax}`,
  ),
  drop: writeQuery<[id: number, before: Date]>(
    `drop_archived_${table}`,
    `DELETE FROM ${table} WHERE id = $1 AND archived_at < $2`,
  ),
})
const tables = [
  statementsOf('store_pack_listings'),
  statementsOf('prizes'),
  statementsOf('pack_types'),
]

/** How long a deletion can be undone for certain. */
const undoMillis = 30 * 86_400_000
/** How long a picture that nothing refers to stays at least, for whoever is about to. */
const unusedMillis = 3_600_000
const stillReferred = '23503'

/**
 * Listings and prizes first: they may be what a pack type still waits for. Each row goes by itself,
 * and the foreign keys say which have to stay. Answers how many went.
 */
export async function removeDeleted({ db, clock, log }: Deps): Promise<number> {
  const now = clock.now()
  const before = new Date(now.getTime() - undoMillis)
  let removed = 0
  for (const { find, drop } of tables) {
    for (const id of await find(db, before)) {
      try {
        await drop(db, id, before)
        removed += 1
      } catch (error) {
        if (sqlState(error) !== stillReferred) throw error
      }
    }
  }
  removed += await removeUnusedImages(db, new Date(now.getTime() - unusedMillis), now)
  if (removed > 0) log.info({ removed }, 'deleted parts of the catalogue were removed')
  return removed
}
