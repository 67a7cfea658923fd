// Removes what staff deleted long ago and nothing refers to; the rest stays for its history.

import { sqlState } from '../../adapters/db/retry.ts'
import type { Deps } from '../../adapters/deps.ts'
import { archivedListings, dropListing } from './listing-tables.ts'
import { archivedPackTypes, dropPackType } from './pack-type-tables.ts'
import { archivedPrizes, dropPrize } from './prize-tables.ts'

/** How long a deletion can be undone for certain. */
const undoMillis = 30 * 86_400_000
const stillReferred = '23503'

/**
 * Listings and prizes first: they may be what a pack type still waits for. Each row goes by itself,
 * and the foreign keys say which have to stay. Answers how many went.
 */
export async function removeDeleted(deps: Deps): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - undoMillis)
  const kinds = [
    { find: archivedListings, drop: dropListing },
    { find: archivedPrizes, drop: dropPrize },
    { find: archivedPackTypes, drop: dropPackType },
  ]
  let removed = 0
  for (const { find, drop } of kinds) {
    for (const id of await find(deps.db, before)) {
      try {
        await drop(deps.db, id, before)
        removed += 1
      } catch (error) {
        if (sqlState(error) !== stillReferred) throw error
      }
    }
  }
  return removed
}
