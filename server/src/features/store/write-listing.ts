// What every change of a listing has in common: locks, the audit row, the answer, the event.

import type { Queryable } from '../../adapters/db/database.ts'
import type { World } from '../../adapters/world.ts'
import { invariant, Refusal } from '../../rules/refusal.ts'
import type { StaffCall } from '../../rules/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { type ListingRow, lockListing } from './listing-tables.ts'

/** Locks a listing that is not deleted. @throws Refusal not_found */
export async function lockLiveListing(tx: Queryable, id: number): Promise<ListingRow> {
  const row = await lockListing(tx, id)
  if (row === undefined || row.isArchived) throw new Refusal('not_found', 'Listing not found')
  return row
}

/** Records what was done to a listing and answers it as it is now. */
export async function recordListingChange(
  tx: Queryable,
  staff: StaffCall,
  action: 'create' | 'update' | 'delete' | 'restore',
  change: { readonly id: number; readonly before?: ListingRow; readonly now: Date },
) {
  const after = await lockListing(tx, change.id)
  invariant(after !== undefined, 'a listing that was just written is there')
  await recordStaffAction(tx, {
    actorId: staff.actorId,
    action: `listing.${action}`,
    targetType: 'listing',
    targetId: String(change.id),
    before: change.before && audited(change.before),
    after: audited(after),
    requestId: staff.requestId,
    now: change.now,
  })
  const { isArchived, ...answer } = after
  return answer
}

/** What staff are answered after a change. */
export type ChangedListing = Awaited<ReturnType<typeof recordListingChange>>

function audited({ packType, createdAt, updatedAt, ...rest }: ListingRow) {
  return { ...rest, packTypeName: packType.name }
}

/** Tells open pages that the store has changed. */
export function announceListings(world: World): void {
  world.events.publish({ type: 'catalogue_changed', what: 'listings' })
}
