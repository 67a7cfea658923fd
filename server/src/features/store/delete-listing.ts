// Deletes a listing, and brings a deleted one back.

import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffCall } from '../../rules/staff-call.ts'
import { holdLivePackType } from '../pack-types/tables.ts'
import { lockListing, setListingArchived } from './listing-tables.ts'
import { announceListings, lockLiveListing, recordListingChange } from './write-listing.ts'

/**
 * Hides a listing everywhere. Its row stays for those who bought from it, and so that the deletion
 * can be undone. @throws Refusal not_found
 */
export async function deleteListing(world: World, staff: StaffCall, id: number): Promise<void> {
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const before = await lockLiveListing(tx, id)
    await setListingArchived(tx, id, true, now)
    await recordListingChange(tx, staff, 'delete', { id, before, now })
  })
  announceListings(world)
}

/**
 * Undoes a deletion. @throws Refusal not_found, wrong_state when the listing is not deleted or its
 * pack type is
 */
export async function undeleteListing(world: World, staff: StaffCall, id: number) {
  const now = world.clock.now()
  const answer = await world.db.transaction(async (tx) => {
    const before = await lockListing(tx, id)
    if (before === undefined) throw new Refusal('not_found', 'Listing not found')
    if (!before.isArchived) throw new Refusal('wrong_state', 'This listing is not deleted')
    if (!(await holdLivePackType(tx, before.packTypeId))) {
      throw new Refusal('wrong_state', 'Restore the pack type of this listing first')
    }
    await setListingArchived(tx, id, false, now)
    return recordListingChange(tx, staff, 'restore', { id, before, now })
  })
  announceListings(world)
  return answer
}
