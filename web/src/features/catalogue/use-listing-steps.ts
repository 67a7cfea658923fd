// The small steps with listings: on or off sale, one place up or down. Both can be taken back.

import type { AdminListing } from '@redpack/contract'
import { useCallback } from 'react'
import { reportOutcome, toastFailed } from '../../ui/outcome-toast.ts'
import { movedOrders } from './listing-order.ts'
import { useSortListings, useToggleListing } from './listing-queries.ts'

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
  const move = useCallback(
    (listings: readonly AdminListing[], listing: AdminListing, by: -1 | 1) => {
      sort(movedOrders(listings, listing.id, by)).catch((error) =>
        toastFailed('Error updating store listing', error, 'Failed to update store listing'),
      )
    },
    [sort],
  )
  return { toggle, move }
}
