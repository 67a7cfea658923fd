// The Store tab: the form for a new listing, and every listing as a table or as cards.

import {
  type AdminListing,
  adminStoreContract,
  integerMax,
  type SortListingsRequest,
} from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { LayoutGrid, Plus, Store, Table2 } from 'lucide-react'
import { type ReactNode, useCallback, useMemo } from 'react'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { plural } from '../../lib/format.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { newIdempotencyKey, usePatches } from '../../lib/use-call.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Empty } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { useDragOrder } from '../../ui/form/drag-order.tsx'
import { Form } from '../../ui/form/text-field.tsx'
import {
  type RecordDialogProps,
  type RecordListProps,
  RecordPanel,
} from '../../ui/layout/record-panel.tsx'
import { Card, Disclosure } from '../../ui/layout/section.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { LeaveGuard } from '../../ui/overlay/leave-guard.tsx'
import type { DataColumn } from '../../ui/table/columns.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { type DeletedRows, KeptCards } from '../../ui/table/deleted-rows.tsx'
import { useTableView } from '../../ui/table/table-view.ts'
import { DeletedLink, useDeletion } from '../audit/shared/deletion.tsx'
import { ListingFields } from './listing-fields.tsx'
import { dialogListingDraft, inlineListingDraft, useListingForm } from './listing-form.ts'
import {
  Availability,
  type ListingActions,
  ListingPicture,
  packNameOf,
  RowActions,
  SortSteps,
  StatusSwitch,
} from './listing-parts.tsx'

interface ListingListProps extends RecordListProps<AdminListing> {
  readonly isGrid: boolean
}

const viewDefaults = { sort: 'order' }

function ListingList({ rows: listings, isGrid, onEdit }: ListingListProps) {
  const { toggle, place } = useListingSteps()
  const stored = useMemo(() => inStoreOrder(listings), [listings])
  const ids = useMemo(() => stored.map(({ id }) => id), [stored])
  const named = (id: number) => stored.find((listing) => listing.id === id)
  const drag = useDragOrder({
    ids,
    nameOf: (id) => packNameOf(named(id)),
    onPlace: (id, to) => {
      const listing = named(id)
      if (listing) place(stored, listing, to)
    },
  })
  const { lifted } = drag
  // Places are counted without those that are deleted, which are shown between them.
  const ordered = useMemo(() => {
    if (!lifted) return stored
    const orders = new Map(movedOrders(stored, lifted.id, lifted.to).map((one) => [one.id, one]))
    return inStoreOrder(stored.map((listing) => ({ ...listing, ...orders.get(listing.id) })))
  }, [stored, lifted])
  const deleted = useDeletion('listing.delete', ordered, {
    headingId: 'store-heading',
    nameOf: packNameOf,
  })
  const { remove } = deleted
  const actions = useMemo<ListingActions>(
    () => ({
      onEdit,
      onDelete: (listing) => void remove(listing),
      onToggle: toggle,
      onMove: (listing, by) => place(stored, listing, ids.indexOf(listing.id) + by),
      handleOf: drag.handleOf,
      isFirst: ({ id }) => ids[0] === id,
      isLast: ({ id }) => ids.at(-1) === id,
    }),
    [stored, ids, toggle, place, onEdit, remove, drag.handleOf],
  )
  const empty = <Empty picture={<Store />} title="No store listings found" />
  return isGrid && deleted.rows.length > 0 ? (
    <ListingGrid deleted={deleted} actions={actions} />
  ) : (
    <ListingTable deleted={deleted} actions={actions} empty={empty} />
  )
}

interface ListingTableProps {
  readonly deleted: DeletedRows<AdminListing>
  readonly actions: ListingActions
  readonly empty: ReactNode
}

function ListingTable({ deleted, actions, empty }: ListingTableProps) {
  const [view, change] = useTableView(viewDefaults)
  // Rows in another order than the store's have no places to be dragged to.
  const isByPlace = view.sort === viewDefaults.sort && view.search === ''
  const columns = useMemo(() => listingColumns(actions, isByPlace), [actions, isByPlace])
  return (
    <DataTable
      label="Store listings"
      columns={columns}
      rows={deleted.rows}
      deleted={deleted}
      rowId={({ id }) => id}
      rowName={packNameOf}
      view={view}
      onViewChange={change}
      paging={{ by: 'browser', pageSize: 50 }}
      errorTitle="Error loading store listings"
      onRetry={() => undefined}
      empty={empty}
      search={{ label: 'Search listings', placeholder: 'Pack type or status' }}
      onOpen={actions.onEdit}
      csv={true}
      isPolled={false}
    />
  )
}

function ListingDialog({ record, isGone, onClose }: RecordDialogProps<AdminListing>) {
  const { form, dialog } = useListingForm({
    listing: record,
    isGone,
    start: dialogListingDraft,
    onDone: onClose,
  })
  return (
    <FormDialog
      {...dialog}
      onClose={onClose}
      title={record ? 'Edit Store Listing' : 'Add Store Listing'}
      submitLabel={record ? 'Save changes' : 'Create listing'}
    >
      <ListingFields form={form} />
    </FormDialog>
  )
}

// The small steps with listings: on or off sale, and to another place. Both can be taken back.
function useListingSteps() {
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

// The order of listings in the store: by sort order, lower first, then by id, as the store does it.
type Placed = Pick<AdminListing, 'id' | 'sortOrder'>

export function inStoreOrder<L extends Placed>(listings: readonly L[]): L[] {
  return listings.toSorted((one, other) => one.sortOrder - other.sortOrder || one.id - other.id)
}

/**
 * The new sort orders that move a listing to a place, counted from 0, as few as there can be going
 * from the top: none when it is there already, or when there is no such place.
 */
export function movedOrders(
  listings: readonly Placed[],
  id: number,
  to: number,
): { readonly id: number; readonly sortOrder: number }[] {
  const order = inStoreOrder(listings)
  const from = order.findIndex((listing) => listing.id === id)
  const moved = order[from]
  if (!moved || from === to || to < 0 || to >= order.length) return []
  order.splice(from, 1)
  const next = order[to]
  // The one that moves gives way to those that stay.
  const lowest = next ? Math.min(moved.sortOrder, next.sortOrder) : moved.sortOrder
  order.splice(to, 0, { id, sortOrder: lowest })
  const before = new Map(listings.map((listing) => [listing.id, listing.sortOrder]))
  const placed: Placed[] = []
  for (const listing of order) {
    placed.push({ id: listing.id, sortOrder: placeAfter(placed.at(-1), listing) })
  }
  const isTooLarge = (placed.at(-1)?.sortOrder ?? 0) > integerMax
  const orders = isTooLarge
    ? placed.map((each, place) => ({ id: each.id, sortOrder: place }))
    : placed
  return orders.filter((each) => each.sortOrder !== before.get(each.id))
}

/** The lowest change that keeps a listing behind the one before it. */
function placeAfter(last: Placed | undefined, listing: Placed): number {
  if (!last) return listing.sortOrder
  const isBehind =
    listing.sortOrder > last.sortOrder ||
    (listing.sortOrder === last.sortOrder && listing.id > last.id)
  if (isBehind) return listing.sortOrder
  return listing.id > last.id ? last.sortOrder : last.sortOrder + 1
}

function ListingGrid({ deleted, actions }: Omit<ListingTableProps, 'empty'>) {
  return (
    <KeptCards
      label="Store listings"
      deleted={deleted}
      className="grid list-none grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4 p-0"
    >
      {(listing) => (
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
              <p>{plural(listing.redCoinPrice, 'RedCoin', 'RedCoins')}</p>
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
      )}
    </KeptCards>
  )
}

/** `canDrag` while the rows stand in the order of the store. */
function listingColumns(actions: ListingActions, canDrag: boolean): DataColumn<AdminListing>[] {
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
      cell: ({ redCoinPrice }) => plural(redCoinPrice, 'RedCoin', 'RedCoins'),
    },
    {
      id: 'inventory',
      header: 'Inventory',
      isSortable: true,
      value: ({ isUnlimited, quantityAvailable }) =>
        isUnlimited ? 'Unlimited' : quantityAvailable,
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

export function StorePanel() {
  const listings = useQuery(listingsQuery)
  const [look, setLook] = useSearchValue('look')
  const isGrid = look === 'grid'
  return (
    <RecordPanel
      headingId="store-heading"
      heading="Store Listings"
      name="listing"
      addLabel="Add Listing"
      actions={
        <Button
          tone="secondary"
          icon={isGrid ? Table2 : LayoutGrid}
          onClick={() => setLook(isGrid ? '' : 'grid')}
        >
          {isGrid ? 'Show as table' : 'Show as grid'}
        </Button>
      }
      above={<CreateListing />}
      query={listings}
      what="store listings"
      skeleton="h-80"
      deletedLink={<DeletedLink action="listing.delete">Deleted listings</DeletedLink>}
      dialog={(props) => <ListingDialog {...props} />}
    >
      {(list) => <ListingList {...list} isGrid={isGrid} />}
    </RecordPanel>
  )
}

function CreateListing() {
  const { form, dialog } = useListingForm({ start: inlineListingDraft })
  const { onSubmit, isPending, isUnsaved } = dialog
  return (
    <Disclosure summary={<h3 className="text-base">Create Store Listing</h3>}>
      <Card>
        <Form noValidate onSubmit={onSubmit} aria-label="Create Store Listing">
          <ListingFields form={form} className="xl:grid-cols-3" />
          <LeaveGuard isUnsaved={isUnsaved && !isPending} />
          <Button
            type="submit"
            icon={Plus}
            isPending={isPending}
            pendingLabel="Creating..."
            className="mt-6"
          >
            Create listing
          </Button>
        </Form>
      </Card>
    </Disclosure>
  )
}

/** Every listing, inactive ones included. */
export const listingsQuery = endpointQuery(adminStoreContract.list, {
  shows: ['catalogue', 'listings', 'pack_types'],
  empty: [],
})

/** On or off sale; sends only `isActive`. */
export function useToggleListing() {
  return usePatches(
    listingsQuery.queryKey,
    (patch: Pick<AdminListing, 'id' | 'isActive'>) => [patch],
    ({ id, isActive }) => {
      const idempotencyKey = newIdempotencyKey()
      return call(adminStoreContract.update, { params: { id }, body: { isActive }, idempotencyKey })
    },
  )
}

export type ListingPlaces = SortListingsRequest['orders']

/** Puts listings at their new places with one call. */
export function useSortListings() {
  return usePatches(
    listingsQuery.queryKey,
    (orders: ListingPlaces) => orders,
    (orders) => call(adminStoreContract.sort, { body: { orders } }),
  )
}
