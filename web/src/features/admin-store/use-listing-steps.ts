// The small steps with listings: on or off sale, one place up or down. Both can be taken back.

import type { AdminListing } from '@redpack/contract'
import { useCallback, useState } from 'react'
import { toastDone, toastFailed } from '../../ui/outcome-toast.ts'
import { movedOrders } from './listing-order.ts'
import { useSortListings, useToggleListing } from './queries.ts'

export function useListingSteps() {
  const [actionCount, setActionCount] = useState(0)
  const { mutate: setActive } = useToggleListing()
  const { mutate: sort } = useSortListings()

  const toggle = useCallback(
    (listing: AdminListing, isActive: boolean) => {
      setActionCount((count) => count + 1)
      setActive(
        { id: listing.id, isActive },
        {
          onSuccess: () =>
            toastDone('Store listing updated successfully', {
              label: 'Undo',
              onSelect: () => toggle(listing, !isActive),
            }),
          onError: (error) =>
            toastFailed(
              'Error updating store listing status',
              error,
              'Failed to update store listing status',
            ),
        },
      )
    },
    [setActive],
  )
  const move = useCallback(
    (listings: readonly AdminListing[], listing: AdminListing, by: -1 | 1) => {
      setActionCount((count) => count + 1)
      sort(movedOrders(listings, listing.id, by), {
        onError: (error) =>
          toastFailed('Error updating store listing', error, 'Failed to update store listing'),
      })
    },
    [sort],
  )
  return { toggle, move, actionCount }
}
