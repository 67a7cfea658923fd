// The order of listings in the store: by sort order, lower first, then by id, as the store does it.

import { type AdminListing, integerMax } from '@redpack/contract'

type Placed = Pick<AdminListing, 'id' | 'sortOrder'>

export function inStoreOrder<L extends Placed>(listings: readonly L[]): L[] {
  return listings.toSorted((one, other) => one.sortOrder - other.sortOrder || one.id - other.id)
}

/**
 * The new sort orders that move a listing to a place, counted from 0, as few as there can be going
 * from the top: none when it is there already, or when there is no such place.
 */
export function movedOrders(
  listings: readonly Placed[],
  id: number,
  to: number,
): { readonly id: number; readonly sortOrder: number }[] {
  const order = inStoreOrder(listings)
  const from = order.findIndex((listing) => listing.id === id)
  const moved = order[from]
  if (!moved || from === to || to < 0 || to >= order.length) return []
  order.splice(from, 1)
  const next = order[to]
  // The one that moves gives way to those that stay.
  const lowest = next ? Math.min(moved.sortOrder, next.sortOrder) : moved.sortOrder
  order.splice(to, 0, { id, sortOrder: lowest })
  const before = new Map(listings.map((listing) => [listing.id, listing.sortOrder]))
  const placed: Placed[] = []
  for (const listing of order) {
    placed.push({ id: listing.id, sortOrder: placeAfter(placed.at(-1), listing) })
  }
  const isTooLarge = (placed.at(-1)?.sortOrder ?? 0) > integerMax
  const orders = isTooLarge
    ? placed.map((each, place) => ({ id: each.id, sortOrder: place }))
    : placed
  return orders.filter((each) => each.sortOrder !== before.get(each.id))
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
