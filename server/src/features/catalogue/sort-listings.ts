// Puts listings at other places in the store.

import type { AuditEntry, Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { changeListing } from './listing-tables.ts'
import { changedListing, lockLiveListing } from './write-listing.ts'

export interface ListingPlace {
  readonly id: number
  readonly sortOrder: number
}

/**
 * Sets sort orders, each listing at most once; locked in the order of their ids, so that two who
 * sort at once never wait for each other. Each has its own audit entry.
 * @throws DomainError not_found when one of them is deleted; then none is moved
 */
export async function sortListings(
  tx: Queryable,
  { now }: Author,
  places: readonly ListingPlace[],
): Promise<Outcome<void>> {
  const audit: AuditEntry[] = []
  for (const { id, sortOrder } of places.toSorted((one, other) => one.id - other.id)) {
    const before = await lockLiveListing(tx, id)
    await changeListing(tx, id, { ...before, sortOrder }, now)
    audit.push((await changedListing(tx, 'update', id, before)).audit)
  }
  return { answer: undefined, audit, events: [{ type: 'catalogue_changed', what: 'listings' }] }
}
