// The six columns of the listings table.

import type { AdminListing } from '@redpack/contract'
import type { DataColumn } from '../../ui/table/columns.tsx'
import {
  Availability,
  type ListingActions,
  ListingPicture,
  packNameOf,
  RowActions,
  SortSteps,
  StatusSwitch,
} from './listing-parts.tsx'
import { formatRedCoins } from './price-text.ts'

/** `canDrag` while the rows stand in the order of the store. */
export function listingColumns(
  actions: ListingActions,
  canDrag: boolean,
): DataColumn<AdminListing>[] {
  return [
    {
      id: 'packType',
      header: 'Pack Type',
      isSortable: true,
      value: packNameOf,
      cell: (listing) => (
        <span className="flex min-w-44 items-center gap-3">
          <ListingPicture listing={listing} className="w-8 flex-none" />
          <span className="min-w-0 wrap-anywhere font-medium">{packNameOf(listing)}</span>
        </span>
      ),
    },
    {
      id: 'price',
      header: 'Price (RedCoin)',
      isSortable: true,
      isNumber: true,
      value: ({ redCoinPrice }) => redCoinPrice,
      cell: ({ redCoinPrice }) => formatRedCoins(redCoinPrice),
    },
    {
      id: 'inventory',
      header: 'Inventory',
      isSortable: true,
      value: ({ isUnlimited, quantityAvailable }) =>
        isUnlimited ? Number.MAX_SAFE_INTEGER : quantityAvailable,
      cell: (listing) => <Availability listing={listing} />,
    },
    {
      id: 'order',
      header: 'Order',
      isSortable: true,
      value: ({ sortOrder }) => sortOrder,
      cell: (listing) => <SortSteps listing={listing} actions={actions} canDrag={canDrag} />,
    },
    {
      id: 'status',
      header: 'Status',
      isSortable: true,
      value: ({ isActive }) => (isActive ? 'Active' : 'Inactive'),
      cell: (listing) => <StatusSwitch listing={listing} actions={actions} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      isFixed: true,
      cell: (listing) => <RowActions listing={listing} actions={actions} />,
    },
  ]
}
