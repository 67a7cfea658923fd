// The small steps with listings: on or off sale, and to another place. Both can be taken back.

import type { AdminListing } from '@redpack/contract'
import { useCallback } from 'react'
import { announce } from '../../ui/feedback/live-region.tsx'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { movedOrders } from './listing-order.ts'
import { packNameOf } from './listing-parts.tsx'
import { type ListingPlaces, useSortListings, useToggleListing } from './listing-queries.ts'

export function useListingSteps() {
  const { mutateAsync: setActive } = useToggleListing()
  const { mutateAsync: sort } = useSortListings()

  const toggle = useCallback(
    (listing: AdminListing, isActive: boolean) => {
      void reportOutcome(setActive({ id: listing.id, isActive }), {
        done: 'Store listing updated successfully',
        action: { label: 'Undo', onSelect: () => toggle(listing, !isActive) },
        failureTitle: 'Error updating store listing status',
        fallback: 'Failed to update store listing status',
      })
    },
    [setActive],
  )
  const put = useCallback(
    (orders: ListingPlaces, done: string, undo: ListingPlaces) => {
      void reportOutcome(sort(orders), {
        done,
        action: { label: 'Undo', onSelect: () => put(undo, 'Store order restored', orders) },
        failureTitle: 'Error updating store listing',
        fallback: 'Failed to update store listing',
      })
    },
    [sort],
  )
  /** Puts a listing at a place, counted from 0, with one call. */
  const place = useCallback(
    (listings: readonly AdminListing[], listing: AdminListing, to: number) => {
      const orders = movedOrders(listings, listing.id, to)
      if (orders.length === 0) return
      const before = new Map(listings.map(({ id, sortOrder }) => [id, sortOrder]))
      const undo = orders.map(({ id }) => ({ id, sortOrder: before.get(id) ?? 0 }))
      const done = `${packNameOf(listing)} is at place ${to + 1} of ${listings.length}`
      announce(done)
      put(orders, done, undo)
    },
    [put],
  )
  return { toggle, place }
}
