// The Store tab: the form for a new listing, and every listing as a table or as cards.

import { useQuery } from '@tanstack/react-query'
import { LayoutGrid, Plus, Table2 } from 'lucide-react'
import { httpTextOf } from '../../lib/api-error.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import {
  askAgain,
  LoadErrorCard,
  Loading,
  Skeleton,
  SlowNote,
} from '../../ui/feedback/data-state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { PanelHeader } from '../../ui/layout/headings.tsx'
import { DeletedLink } from '../audit/shared/deleted-link.tsx'
import { ListingFields } from './listing-fields.tsx'
import { inlineListingDraft, useListingForm } from './listing-form.ts'
import { ListingList } from './listing-list.tsx'
import { listingsQuery } from './listing-queries.ts'

/** Stands for the listing in the address while a new one is being made. */
const newListing = 'new'

export function StorePanel() {
  const listings = useQuery(listingsQuery)
  const { data, error, isFetching } = listings
  const [look, setLook] = useSearchValue('look')
  const [edited, setEdited] = useSearchValue('listing', 'push')
  const isGrid = look === 'grid'
  return (
    <section aria-labelledby="store-heading" className="grid grid-cols-1 gap-6">
      <PanelHeader
        id="store-heading"
        title="Store Listings"
        isRefreshing={isFetching && data !== undefined}
      >
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
      </PanelHeader>
      <CreateListing />
      {data ? (
        <ListingList listings={data} isGrid={isGrid} edited={edited} onEdit={setEdited} />
      ) : error ? (
        <LoadErrorCard
          title="Error loading store listings"
          description={httpTextOf(error)}
          {...askAgain(listings)}
        />
      ) : (
        <Loading label="Loading store listings" className="grid gap-4">
          <Skeleton className="h-80" />
          <SlowNote what="the store listings" />
        </Loading>
      )}
      {/* Below a list of any length, it comes with the list. */}
      {(data || error) && <DeletedLink action="listing.delete">Deleted listings</DeletedLink>}
    </section>
  )
}

function CreateListing() {
  const { form, save, isSaving } = useListingForm({ start: inlineListingDraft })
  return (
    <Disclosure summary={<h3 className="text-base">Create Store Listing</h3>}>
      <Card>
        <form noValidate onSubmit={save} aria-label="Create Store Listing">
          <ListingFields form={form} className="xl:grid-cols-3" />
          <Button type="submit" isPending={isSaving} className="mt-6">
            {!isSaving && <Plus aria-hidden="true" />}
            {isSaving ? 'Creating...' : 'Create listing'}
          </Button>
        </form>
      </Card>
    </Disclosure>
  )
}
