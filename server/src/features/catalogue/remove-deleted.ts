// Removes what staff deleted long ago and pictures out of use, as far as nothing refers to them.

import { sqlState } from '../../adapters/db/retry.ts'
import type { Deps } from '../../adapters/deps.ts'
import { archivedRows, dropArchivedRow } from './archived-tables.ts'
import { removeUnusedImages } from './image-tables.ts'

/** How long a deletion can be undone for certain. */
const undoMillis = 30 * 86_400_000
/** How long a picture that nothing refers to stays at least, for whoever is about to. */
const unusedMillis = 3_600_000
const stillReferred = '23503'

/**
 * Listings and prizes first: they may be what a pack type still waits for. Each row goes by itself,
 * and the foreign keys say which have to stay. Answers how many went.
 */
export async function removeDeleted({ db, clock }: Deps): Promise<number> {
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
  return removed + (await removeUnusedImages(db, new Date(now.getTime() - unusedMillis), now))
}
