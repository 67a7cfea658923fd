// The listings as cards, in the order of the store.

import type { AdminListing } from '@redpack/contract'
import type { ReactNode } from 'react'
import { KeptPlace } from '../../ui/table/deleted-rows.tsx'
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

export interface ListingGridProps {
  readonly listings: readonly AdminListing[]
  readonly actions: ListingActions
  /** What stands in place of a listing that was deleted. */
  readonly lineOf: (listing: AdminListing) => ReactNode
}

export function ListingGrid({ listings, actions, lineOf }: ListingGridProps) {
  return (
    <ul
      aria-label="Store listings"
      className="grid list-none grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4 p-0"
    >
      {listings.map((listing) => (
        <li key={listing.id}>
          <KeptPlace line={lineOf(listing)}>
            <article
              aria-label={packNameOf(listing)}
              className="card on-card flex h-full flex-col gap-3 p-4"
            >
              <div className="flex gap-4">
                <ListingPicture listing={listing} className="w-20 flex-none self-start" />
                <div className="grid min-w-0 content-start gap-1">
                  <h4 className="break-words font-display text-lg font-semibold">
                    {packNameOf(listing)}
                  </h4>
                  <p>{formatRedCoins(listing.redCoinPrice)}</p>
                  <p className="text-muted">
                    <Availability listing={listing} />
                  </p>
                </div>
              </div>
              <div className="flex flex-wrap items-center justify-between gap-2">
                <span className="flex items-center">
                  <span className="text-sm text-muted">Order</span>
                  <SortSteps listing={listing} actions={actions} canDrag />
                </span>
                <StatusSwitch listing={listing} actions={actions} />
              </div>
              <div className="mt-auto flex justify-end border-t border-line pt-2">
                <RowActions listing={listing} actions={actions} />
              </div>
            </article>
          </KeptPlace>
        </li>
      ))}
    </ul>
  )
}
