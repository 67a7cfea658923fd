// Deletes a listing, and brings a deleted one back.

import type { Author } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { lockListing, setListingArchived } from './listing-tables.ts'
import { holdLivePackType } from './pack-type-tables.ts'
import { changedListing, lockLiveListing } from './write-listing.ts'

/**
 * Hides a listing everywhere. Its row stays for those who bought from it, and so that the deletion
 * can be undone. @throws DomainError not_found
 */
export async function deleteListing(tx: Queryable, { now }: Author, id: number) {
  const before = await lockLiveListing(tx, id)
  await setListingArchived(tx, id, true, now)
  return changedListing(tx, 'delete', id, before)
}

/**
 * Undoes a deletion. @throws DomainError not_found, wrong_state when the listing is not deleted or
 * its pack type is
 */
export async function undeleteListing(tx: Queryable, { now }: Author, id: number) {
  const before = await lockListing(tx, id)
  if (before === undefined) throw new DomainError('not_found', 'Listing not found')
  if (!before.isArchived) throw new DomainError('wrong_state', 'This listing is not deleted')
  if (!(await holdLivePackType(tx, before.packTypeId))) {
    throw new DomainError('wrong_state', 'Restore the pack type of this listing first')
  }
  await setListingArchived(tx, id, false, now)
  return changedListing(tx, 'restore', id, before)
}
