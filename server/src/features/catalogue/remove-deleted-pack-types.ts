// Removes what staff deleted long ago and nothing refers to; the rest stays for its history.

import { sqlState } from '../../adapters/db/retry.ts'
import type { Deps } from '../../adapters/deps.ts'
import { archivedRows, dropArchivedRow } from './archived-tables.ts'

/** How long a deletion can be undone for certain. */
const undoMillis = 30 * 86_400_000
const stillReferred = '23503'

/**
 * Listings and prizes first: they may be what a pack type still waits for. Each row goes by itself,
 * and the foreign keys say which have to stay. Answers how many went.
 */
export async function removeDeleted(deps: Deps): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - undoMillis)
  let removed = 0
  for (const table of ['store_pack_listings', 'prizes', 'pack_types'] as const) {
    for (const id of await archivedRows(deps.db, table, before)) {
      try {
        await dropArchivedRow(deps.db, table, id, before)
        removed += 1
      } catch (error) {
        if (sqlState(error) !== stillReferred) throw error
      }
    }
  }
  return removed
}
