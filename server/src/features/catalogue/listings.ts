// Store listings as staff change them: made, edited, sorted, deleted and restored.

import { adminStoreContract as store } from '@redpack/contract'
import type { AuditEntry, Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { command, withSentence } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import {
  type Edit,
  isSame,
  refuseChangedMeanwhile,
  withGiven,
} from '../../rules/changed-meanwhile.ts'
import { DomainError, existing, invariant } from '../../shared/domain-error.ts'
import { isoTimes } from '../../shared/iso-times.ts'
import { targetOf } from '../../shared/staff-call.ts'
import { setStock } from '../ledger/ledger-tables.ts'
import { requireRoomForListing } from './catalogue-tables.ts'
import { keepUpload } from './images.ts'
import {
  addListing,
  changeListing,
  type ListingPlace,
  type ListingRow,
  type ListingValues,
  lockListing,
  readListing,
  readLiveListings,
  setListingArchived,
} from './listing-tables.ts'
import { holdLivePackType } from './pack-type-tables.ts'

export function registerAdminStore(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, store.list, async () => (await readLiveListings(deps.db)).map(listingAnswer))
  command(context, store.create, { order: ({ body }) => body, run: createListing })
  command(context, store.update, {
    order: ({ params, body }) => [params.id, body] as const,
    run: (tx, by, [id, change]) => updateListing(tx, by, id, change),
  })
  command(context, store.sort, {
    order: ({ body }) => body.orders,
    run: sortListings,
  })
  command(context, store.remove, { order: ({ params }) => params.id, run: deleteListing })
  command(context, store.restore, { order: ({ params }) => params.id, run: undeleteListing })
}

interface NewListing extends ListingValues {
  readonly quantityAvailable: number
}

type ListingChange = Edit<NewListing, { readonly [K in keyof NewListing]: NewListing[K] | null }>

/** @throws DomainError not_found for an unknown pack type */
export async function createListing(tx: Queryable, { now }: Author, listing: NewListing) {
  await requireRoomForListing(tx)
  if (!(await holdLivePackType(tx, listing.packTypeId))) throw unknownPackType()
  await keepUpload(tx, listing.customImage)
  const id = await addListing(tx, { ...listing, now })
  const source = { type: 'created', id: String(id) } as const
  const quantity = listing.quantityAvailable
  await setStock(tx, { kind: 'listing', id, quantity, source, now })
  return changedListing(tx, 'create', id)
}

/**
 * Changes what is given and leaves the rest. Stock is counted from what it is under the lock.
 * @throws DomainError not_found for the listing or a new pack type, changed_meanwhile, wrong_state
 * when it goes on sale while its pack type is deleted
 */
export async function updateListing(
  tx: Queryable,
  { requestId, now }: Author,
  id: number,
  change: ListingChange,
) {
  const before = await lockLiveListing(tx, id)
  refuseChangedMeanwhile(before, change, change.expected)
  const values = withGiven<NewListing>(before, change)
  const { packTypeId, customImage, quantityAvailable: quantity } = values
  const isMoved = packTypeId !== before.packTypeId
  const goesOnSale = values.isActive && !before.isActive
  if ((isMoved || goesOnSale) && !(await holdLivePackType(tx, packTypeId))) {
    throw isMoved ? unknownPackType() : deletedPackType()
  }
  if (customImage !== before.customImage) await keepUpload(tx, customImage)
  await changeListing(tx, { ...values, id, now })
  const source = { type: 'staff_change', id: requestId } as const
  await setStock(tx, { kind: 'listing', id, quantity, source, now })
  return changedListing(tx, 'update', id, before)
}

const unknownPackType = () => new DomainError('not_found', 'Pack type not found')
const deletedPackType = () =>
  new DomainError('wrong_state', 'Restore the pack type of this listing first')

/**
 * Sets sort orders, each listing at most once; locked in the order of their ids, so that two who
 * sort at once never wait for each other. Each has its own audit entry.
 * @throws DomainError not_found when one of them is deleted; then none is moved
 */
async function sortListings(tx: Queryable, { now }: Author, places: readonly ListingPlace[]) {
  const audit: AuditEntry[] = []
  for (const { id, sortOrder } of places.toSorted((one, other) => one.id - other.id)) {
    const before = await lockLiveListing(tx, id)
    await changeListing(tx, { ...before, sortOrder, now })
    const { audit: entry } = await changedListing(tx, 'update', id, before)
    if (entry) audit.push(entry)
  }
  const events = [{ type: 'catalogue_changed', what: 'listings' }] as const
  return withSentence({ answer: undefined, audit, events }, 'Listings sorted successfully')
}

/**
 * Hides a listing everywhere. Its row stays for those who bought from it, and so that the deletion
 * can be undone. @throws DomainError not_found
 */
async function deleteListing(tx: Queryable, { now }: Author, id: number) {
  const before = await lockLiveListing(tx, id)
  await setListingArchived(tx, id, now, now)
  return withSentence(
    await changedListing(tx, 'delete', id, before),
    'Listing deleted successfully',
  )
}

/**
 * Undoes a deletion. @throws DomainError not_found, wrong_state when the listing is not deleted or
 * its pack type is
 */
async function undeleteListing(tx: Queryable, { now }: Author, id: number) {
  await requireRoomForListing(tx)
  const before = existing(await lockListing(tx, id), 'Listing not found')
  if (!before.isArchived) throw new DomainError('wrong_state', 'This listing is not deleted')
  if (!(await holdLivePackType(tx, before.packTypeId))) throw deletedPackType()
  await setListingArchived(tx, id, null, now)
  return changedListing(tx, 'restore', id, before)
}

/** Locks a listing that is not deleted. @throws DomainError not_found */
async function lockLiveListing(tx: Queryable, id: number): Promise<ListingRow> {
  const row = await lockListing(tx, id)
  if (row === undefined || row.isArchived) throw new DomainError('not_found', 'Listing not found')
  return row
}

/** A listing as it is after a change, with the entry and the events of it. */
async function changedListing(
  tx: Queryable,
  action: 'create' | 'update' | 'delete' | 'restore',
  id: number,
  before?: ListingRow,
) {
  const after = await readListing(tx, id)
  invariant(after !== undefined, 'a listing that was just written is there')
  return {
    answer: listingAnswer(after),
    audit: isSame(before && audited(before), audited(after))
      ? undefined
      : {
          action: `listing.${action}`,
          ...targetOf('listing', id),
          before: before && audited(before),
          after: audited(after),
        },
    events: [{ type: 'catalogue_changed', what: 'listings' }],
  } satisfies Outcome<unknown>
}

function audited({ packType, createdAt, updatedAt, ...rest }: ListingRow) {
  return { ...rest, packTypeName: packType.name }
}

function listingAnswer({ isArchived, ...listing }: ListingRow) {
  return isoTimes(listing)
}
