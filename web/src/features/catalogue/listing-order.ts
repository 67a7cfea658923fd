// The order of listings in the store: by sort order, lower first, then by id, as the store does it.

import type { AdminListing } from '@redpack/contract'

type Placed = Pick<AdminListing, 'id' | 'sortOrder'>

export function inStoreOrder<L extends Placed>(listings: readonly L[]): L[] {
  return listings.toSorted((one, other) => one.sortOrder - other.sortOrder || one.id - other.id)
}

/**
 * The new sort orders that move a listing one place up (-1) or down (1), as few as there can be
 * going from the top: none when there is no such place.
 */
export function movedOrders(
  listings: readonly Placed[],
  id: number,
  by: -1 | 1,
): { readonly id: number; readonly sortOrder: number }[] {
  const order = inStoreOrder(listings)
  const from = order.findIndex((listing) => listing.id === id)
  const moved = order[from]
  const other = order[from + by]
  if (!moved || !other) return []
  order[from] = other
  order[from + by] = moved
  const changes: { id: number; sortOrder: number }[] = []
  let last: Placed | undefined
  for (const listing of order) {
    const sortOrder = placeAfter(last, listing)
    if (sortOrder !== listing.sortOrder) changes.push({ id: listing.id, sortOrder })
    last = { id: listing.id, sortOrder }
  }
  return changes
}

/** The lowest change that keeps a listing behind the one before it. */
function placeAfter(last: Placed | undefined, listing: Placed): number {
  if (!last) return listing.sortOrder
  const isBehind =
    listing.sortOrder > last.sortOrder ||
    (listing.sortOrder === last.sortOrder && listing.id > last.id)
  if (isBehind) return listing.sortOrder
  return listing.id > last.id ? last.sortOrder : last.sortOrder + 1
}
