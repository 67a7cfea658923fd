// The store: what RedCoin buys.

import type { Listing } from '@redpack/contract'
import { CircleSlash, Infinity as Endless, Package, ShoppingBag } from 'lucide-react'
import { BalanceCard } from '../features/ledger/coin.tsx'
import { stockOf } from '../features/packs/check-order.ts'
import { OddsButton, OddsDialog } from '../features/packs/odds-sheet.tsx'
import { PurchasePanel } from '../features/packs/purchase-panel.tsx'
import { CardImage } from '../features/packs/shared/card-image.tsx'
import { useListings } from '../features/packs/store-queries.ts'
import { useShownBalance } from '../features/session/queries.ts'
import { cn } from '../lib/class-names.ts'
import { formatNumber, formatRedCoin } from '../lib/format.ts'
import { Badge, DataState, Empty, Skeleton } from '../ui/feedback/state.tsx'
import { LinkButton } from '../ui/form/button.tsx'
import { PageHeading } from '../ui/layout/section.tsx'

const grid = 'grid list-none grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-4 p-0'
/** Cards whose pictures are loaded at once. */
const firstCards = 4

function ListingGrid() {
  const balance = useShownBalance()
  const listings = useListings()
  if (listings.data?.length === 0) {
    return (
      <div className="card on-card">
        <Empty
          picture={<ShoppingBag />}
          title="No Packs Available"
          description="Check back later for new pack listings!"
        />
      </div>
    )
  }
  return (
    <DataState
      query={listings}
      what="the store"
      description="Your RedCoin is safe. Please try again."
      skeleton={Array(4).fill(<ListingCardSkeleton />)}
      className={grid}
      isOnPage
      isBrief
    >
      {(data) => (
        <>
          <ul aria-label="Packs for sale" className={cn(grid, 'enter-stagger')}>
            {data.map((listing, index) => (
              <li key={listing.id}>
                <ListingCard listing={listing} balance={balance} isFirst={index < firstCards} />
              </li>
            ))}
          </ul>
          <OddsDialog packs={data.map(({ packType }) => packType)} />
        </>
      )}
    </DataState>
  )
}

const shape = 'card on-card flex h-full flex-col gap-2 p-4'
const picture = 'w-24 flex-none self-start'

interface ListingCardProps {
  readonly listing: Listing
  readonly balance: number
  /** True for the first cards of the page: their pictures are loaded at once. */
  readonly isFirst: boolean
}

function ListingCard({ listing, balance, isFirst }: ListingCardProps) {
  const { packType } = listing
  const titleId = `listing-${listing.id}`
  return (
    <article aria-labelledby={titleId} className={shape}>
      <div className="flex gap-4">
        <CardImage
          {...packType}
          imageUrl={listing.customImage ?? packType.imageUrl}
          isFirst={isFirst}
          className={picture}
        />
        <div className="flex min-w-0 flex-1 flex-col items-start gap-1">
          <h2 id={titleId} className="max-w-full text-xl break-words">
            {packType.name}
          </h2>
          <StockBadge stock={stockOf(listing)} />
          <div className="mt-auto flex w-full flex-wrap items-center justify-between gap-x-3 sm:flex-col sm:items-start">
            <p className="font-display text-lg font-semibold">
              {formatRedCoin(listing.redCoinPrice)}
            </p>
            <OddsButton packTypeId={listing.packTypeId} packName={packType.name} />
          </div>
        </div>
      </div>
      {packType.description !== '' && (
        <p className="max-h-[6lh] overflow-y-auto whitespace-pre-line break-words text-sm text-muted">
          {packType.description}
        </p>
      )}
      <PurchasePanel listing={listing} balance={balance} />
    </article>
  )
}

function ListingCardSkeleton() {
  return (
    <div className={shape}>
      <Skeleton className={`${picture} aspect-5/6`} />
      <Skeleton className="h-10" />
      <Skeleton className="h-26" />
    </div>
  )
}

/** Undefined stock has no end. */
function StockBadge({ stock }: { readonly stock: number | undefined }) {
  if (stock === undefined) {
    return (
      <Badge tone="secondary" icon={<Endless />}>
        Unlimited
      </Badge>
    )
  }
  if (stock === 0) {
    return (
      <Badge tone="danger" icon={<CircleSlash />}>
        Out of stock
      </Badge>
    )
  }
  return (
    <Badge tone="neutral" icon={<Package />}>
      {formatNumber(stock)} in stock
    </Badge>
  )
}

export function StoreScreen() {
  return (
    <>
      <PageHeading
        title="Pack Store"
        description="Purchase packs with RedCoin"
        action={<BalanceCard />}
      />
      <ListingGrid />
      <p className="mt-8 text-center">
        <LinkButton to="/fairness" tone="faint">
          How draws stay fair
        </LinkButton>
      </p>
    </>
  )
}
