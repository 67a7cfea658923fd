// Creates a listing, or changes the given fields of one.

import type { Author } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { setStock } from '../ledger/ledger-tables.ts'
import { addListing, changeListing, type ListingValues } from './listing-tables.ts'
import { holdLivePackType } from './pack-type-tables.ts'
import { changedListing, lockLiveListing } from './write-listing.ts'

export interface NewListing extends ListingValues {
  readonly quantityAvailable: number
}

type ListingFields = { readonly [K in keyof NewListing]?: NewListing[K] | null | undefined }
/** What is given changes; `expected` is what the sender saw in it. */
export type ListingChange = {
  readonly [K in keyof NewListing]?: NewListing[K] | undefined
} & { readonly expected?: ListingFields | undefined }

/** @throws DomainError not_found for an unknown pack type */
export async function createListing(tx: Queryable, { now }: Author, listing: NewListing) {
  if (!(await holdLivePackType(tx, listing.packTypeId))) throw unknownPackType()
  const id = await addListing(tx, listing, now)
  const source = { type: 'created', id: String(id) } as const
  const quantity = listing.quantityAvailable
  await setStock(tx, { kind: 'listing', id, quantity, source, now })
  return changedListing(tx, 'create', id)
}

/**
 * Changes what is given and leaves the rest. Stock is counted from what it is under the lock.
 * @throws DomainError not_found for the listing or a new pack type, changed_meanwhile
 */
export async function updateListing(
  tx: Queryable,
  { requestId, now }: Author,
  id: number,
  change: ListingChange,
) {
  const before = await lockLiveListing(tx, id)
  refuseChangedMeanwhile(before, change, change.expected)
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
  const source = { type: 'staff_change', id: requestId } as const
  await setStock(tx, { kind: 'listing', id, quantity, source, now })
  return changedListing(tx, 'update', id, before)
}

const unknownPackType = () => new DomainError('not_found', 'Pack type not found')
