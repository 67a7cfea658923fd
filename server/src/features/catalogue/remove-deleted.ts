// Removes what staff deleted long ago and pictures out of use, as far as nothing refers to them.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { sqlState } from '../../adapters/db/retry.ts'
import type { Deps } from '../../adapters/deps.ts'
import { removeUnusedImages } from './image-tables.ts'

const archivedMax = 1_000

function statementsOf(table: string) {
  return {
    find: statement(
      `find_archived_${table}`,
      `SELECT id FROM ${table} WHERE archived_at < $1 ORDER BY id LIMIT ${archivedMax}`,
    ),
    drop: statement(
      `drop_archived_${table}`,
      `DELETE FROM ${table} WHERE id = $1 AND archived_at < $2`,
    ),
  }
}
const tables = {
  store_pack_listings: statementsOf('store_pack_listings'),
  prizes: statementsOf('prizes'),
  pack_types: statementsOf('pack_types'),
} as const

type ArchivingTable = keyof typeof tables

/** Ids of rows that were deleted before a moment, at most 1,000. */
async function archivedRows(db: Queryable, table: ArchivingTable, before: Date): Promise<number[]> {
  const rows = await db.run<{ id: number }>(tables[table].find, [before])
  return rows.map(({ id }) => id)
}

/** Removes a deleted row for good; the database refuses while anything refers to it. */
async function dropArchivedRow(
  db: Queryable,
  table: ArchivingTable,
  id: number,
  before: Date,
): Promise<void> {
  await db.run(tables[table].drop, [id, before])
}

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
  for (const table of ['store_pack_listings', 'prizes', 'pack_types'] as const) {
    for (const id of await archivedRows(db, table, before)) {
      try {
        await dropArchivedRow(db, table, id, before)
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
