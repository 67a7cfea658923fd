// The SQL on what staff deleted long ago, until nothing refers to it.

import { type Queryable, statement } from '../../adapters/db/database.ts'

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

export type ArchivingTable = keyof typeof tables

/** Ids of rows that were deleted before a moment, at most 1,000. */
export async function archivedRows(
  db: Queryable,
  table: ArchivingTable,
  before: Date,
): Promise<number[]> {
  const rows = await db.run<{ id: number }>(tables[table].find, [before])
  return rows.map(({ id }) => id)
}

/** Removes a deleted row for good; the database refuses while anything refers to it. */
export async function dropArchivedRow(
  db: Queryable,
  table: ArchivingTable,
  id: number,
  before: Date,
): Promise<void> {
  await db.run(tables[table].drop, [id, before])
}
