// Everything the store offers right now.

import type { Listing } from '@redpack/contract'
import { ShoppingBag } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../../lib/class-names.ts'
import { LoadErrorCard, Loading } from '../../ui/feedback/data-state.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { ListingCard, ListingCardSkeleton } from './listing-card.tsx'
import { useListings } from './store-queries.ts'

const grid =
  'grid list-none grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-4 p-0 sm:gap-6'
/** Cards whose pictures are loaded at once, and cards shown while nothing is known. */
const firstCards = 4
const skeletonCards = ['a', 'b', 'c', 'd']

export interface ListingGridProps {
  readonly balance: number
  /** The way to the odds of a pack type. */
  readonly renderOdds: (listing: Listing) => ReactNode
}

export function ListingGrid({ balance, renderOdds }: ListingGridProps) {
  const { data, error, isPending, isFetching, refetch } = useListings()
  if (data?.length === 0) {
    return (
      <div className="card on-card">
        <Empty
          picture={<ShoppingBag aria-hidden="true" />}
          title="No Packs Available"
          description="Check back later for new pack listings!"
        />
      </div>
    )
  }
  if (data) {
    return (
      <ul aria-label="Packs for sale" className={cn(grid, 'enter-stagger')}>
        {data.map((listing, index) => (
          <li key={listing.id}>
            <ListingCard
              listing={listing}
              balance={balance}
              odds={renderOdds(listing)}
              isFirst={index < firstCards}
            />
          </li>
        ))}
      </ul>
    )
  }
  if (isPending) {
    return (
      <Loading label="Loading the store" className={grid}>
        {skeletonCards.map((name) => (
          <ListingCardSkeleton key={name} />
        ))}
      </Loading>
    )
  }
  return (
    <LoadErrorCard
      title="Error loading the store"
      description="Your RedCoin is safe. Please try again."
      error={error}
      onRetry={() => void refetch()}
      isRetrying={isFetching}
    />
  )
}
