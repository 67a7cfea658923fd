// One listing of the store: the pack, its price, its stock, and the way to buy it.

import type { Listing } from '@redpack/contract'
import type { ReactNode } from 'react'
import { formatRedCoin } from '../../lib/format.ts'
import { Skeleton } from '../../ui/feedback/data-state.tsx'
import { stockOf } from './check-order.ts'
import { PurchasePanel } from './purchase-panel.tsx'
import { CardImage } from './shared/card-image.tsx'
import { StockBadge } from './stock-badge.tsx'

const shape = 'card on-card flex h-full min-w-0 flex-col gap-4 p-4 sm:p-5'
const picture = 'mx-auto w-36'

export interface ListingCardProps {
  readonly listing: Listing
  readonly balance: number
  /** Stands beside the price: the way to the odds of the pack. */
  readonly odds: ReactNode
  /** True for the first cards of the page: their pictures are loaded at once. */
  readonly isFirst: boolean
}

export function ListingCard({ listing, balance, odds, isFirst }: ListingCardProps) {
  const { packType } = listing
  const titleId = `listing-${listing.id}`
  return (
    <article aria-labelledby={titleId} className={shape}>
      <CardImage
        imageUrl={listing.customImage ?? packType.imageUrl}
        imageData={packType.imageData}
        imageType={packType.imageType}
        icon={packType.icon}
        color={packType.color}
        isFirst={isFirst}
        className={picture}
      />
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h2 id={titleId} className="min-w-0 text-xl break-words">
          {packType.name}
        </h2>
        <StockBadge stock={stockOf(listing)} />
      </div>
      {packType.description !== '' && (
        <p className="whitespace-pre-line break-words text-muted">{packType.description}</p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
        <p className="flex items-center gap-2 font-display text-lg font-semibold">
          <img src="/art/redcoin.svg" alt="" width={24} height={24} className="size-6 flex-none" />
          {formatRedCoin(listing.redCoinPrice)}
        </p>
        {odds}
      </div>
      <PurchasePanel listing={listing} balance={balance} />
    </article>
  )
}

export function ListingCardSkeleton() {
  return (
    <div className={shape}>
      <Skeleton className={`${picture} aspect-5/6`} />
      <Skeleton className="h-7 w-2/3" />
      <Skeleton className="h-12" />
      <Skeleton className="h-11 w-1/2" />
      <Skeleton className="h-40" />
    </div>
  )
}
