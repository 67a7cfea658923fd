// What every change of a listing has in common: locks, the audit row, the answer, the event.

import type { Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { DomainError, invariant } from '../../shared/domain-error.ts'
import { type ListingRow, lockListing } from './listing-tables.ts'

/** Locks a listing that is not deleted. @throws DomainError not_found */
export async function lockLiveListing(tx: Queryable, id: number): Promise<ListingRow> {
  const row = await lockListing(tx, id)
  if (row === undefined || row.isArchived) throw new DomainError('not_found', 'Listing not found')
  return row
}

/** A listing as it is after a change, with the entry and the events of it. */
export async function changedListing(
  tx: Queryable,
  action: 'create' | 'update' | 'delete' | 'restore',
  id: number,
  before?: ListingRow,
) {
  const after = await lockListing(tx, id)
  invariant(after !== undefined, 'a listing that was just written is there')
  const { isArchived, ...answer } = after
  return {
    answer,
    audit: {
      action: `listing.${action}`,
      targetType: 'listing',
      targetId: String(id),
      before: before && audited(before),
      after: audited(after),
    },
    events: [{ type: 'catalogue_changed', what: 'listings' }],
  } satisfies Outcome<unknown>
}

function audited({ packType, createdAt, updatedAt, ...rest }: ListingRow) {
  return { ...rest, packTypeName: packType.name }
}
