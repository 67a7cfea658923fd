// The Store tab: the form for a new listing, and every listing as a table or as cards.

import { LayoutGrid, Plus, Table2, Undo2 } from 'lucide-react'
import { httpTextOf } from '../../lib/api-error.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { Button } from '../../ui/button.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { LoadErrorCard } from '../../ui/load-error.tsx'
import { RefreshingDot } from '../../ui/refreshing-dot.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { SlowNote } from '../../ui/slow-note.tsx'
import { CreateListing } from './create-listing.tsx'
import { ListingList } from './listing-list.tsx'
import { useAdminListings } from './listing-queries.ts'

/** Stands for the listing in the address while a new one is being made. */
const newListing = 'new'

export function StorePanel() {
  const { data, error, isFetching, refetch } = useAdminListings()
  const [look, setLook] = useSearchValue('look')
  const [edited, setEdited] = useSearchValue('listing', 'push')
  const isGrid = look === 'grid'
  return (
    <section aria-labelledby="store-heading" className="grid grid-cols-1 gap-6">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-3">
        <h2 id="store-heading" tabIndex={-1} className="flex items-center gap-2 text-2xl">
          Store Listings
          <RefreshingDot isShown={isFetching && data !== undefined} />
        </h2>
        <div className="flex flex-wrap gap-2">
          <Button tone="secondary" onClick={() => setLook(isGrid ? '' : 'grid')}>
            {isGrid ? <Table2 aria-hidden="true" /> : <LayoutGrid aria-hidden="true" />}
            {isGrid ? 'Show as table' : 'Show as grid'}
          </Button>
          <Button onClick={() => setEdited(newListing)}>
            <Plus aria-hidden="true" />
            Add Listing
          </Button>
        </div>
      </div>
      <CreateListing />
      {data ? (
        <ListingList listings={data} isGrid={isGrid} edited={edited} onEdit={setEdited} />
      ) : error ? (
        <LoadErrorCard
          title="Error loading store listings"
          description={httpTextOf(error)}
          error={error}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      ) : (
        <Loading label="Loading store listings" className="grid gap-4">
          <Skeleton className="h-80" />
          <SlowNote what="the store listings" />
        </Loading>
      )}
      <LinkButton
        to="."
        search={{ tab: 'audit', action: 'listing.delete' }}
        tone="faint"
        className="justify-self-start"
      >
        <Undo2 aria-hidden="true" />
        Deleted listings
      </LinkButton>
    </section>
  )
}
