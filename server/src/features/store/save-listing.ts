// Creates a listing, or changes the given fields of one.

import { keyedByStaff, type OnceAnswer, once } from '../../adapters/db/once.ts'
import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffCall } from '../../rules/staff-call.ts'
import { holdLivePackType } from '../pack-types/tables.ts'
import { addListing, changeListing, type ListingValues, setListingStock } from './listing-tables.ts'
import {
  announceListings,
  type ChangedListing,
  lockLiveListing,
  recordListingChange,
} from './write-listing.ts'

export interface NewListing extends ListingValues {
  readonly quantityAvailable: number
}

export type ListingChange = { readonly [K in keyof NewListing]?: NewListing[K] | undefined }

/** @throws Refusal not_found for an unknown pack type */
export async function createListing(
  world: World,
  staff: StaffCall,
  listing: NewListing,
): Promise<OnceAnswer<ChangedListing>> {
  const now = world.clock.now()
  const answer = await once(world.db, keyedByStaff(staff, listing, now), async (tx) => {
    if (!(await holdLivePackType(tx, listing.packTypeId))) throw unknownPackType()
    const id = await addListing(tx, listing, now)
    const source = { type: 'created', id: String(id) } as const
    await setListingStock(tx, id, listing.quantityAvailable, source, now)
    return recordListingChange(tx, staff, 'create', { id, now })
  })
  if (!answer.replayed) announceListings(world)
  return answer
}

/**
 * Changes what is given and leaves the rest. Stock is counted from what it is under the lock.
 * @throws Refusal not_found for the listing or a new pack type
 */
export async function updateListing(
  world: World,
  staff: StaffCall,
  id: number,
  change: ListingChange,
): Promise<OnceAnswer<ChangedListing>> {
  const now = world.clock.now()
  const answer = await once(world.db, keyedByStaff(staff, [id, change], now), async (tx) => {
    const before = await lockLiveListing(tx, id)
    const packTypeId = change.packTypeId ?? before.packTypeId
    const isMoved = packTypeId !== before.packTypeId
    if (isMoved && !(await holdLivePackType(tx, packTypeId))) throw unknownPackType()
    const values = {
      packTypeId,
      redCoinPrice: change.redCoinPrice ?? before.redCoinPrice,
      customImage: change.customImage === undefined ? before.customImage : change.customImage,
      isUnlimited: change.isUnlimited ?? before.isUnlimited,
      isActive: change.isActive ?? before.isActive,
      sortOrder: change.sortOrder ?? before.sortOrder,
    }
    await changeListing(tx, id, values, now)
    const quantity = change.quantityAvailable ?? before.quantityAvailable
    const source = { type: 'staff_change', id: staff.requestId } as const
    await setListingStock(tx, id, quantity, source, now)
    return recordListingChange(tx, staff, 'update', { id, before, now })
  })
  if (!answer.replayed) announceListings(world)
  return answer
}

const unknownPackType = () => new Refusal('not_found', 'Pack type not found')
