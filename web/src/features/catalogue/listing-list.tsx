// Every listing, as a table or as cards, and what is done with each of them.

import type { AdminListing } from '@redpack/contract'
import { Store } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { Empty } from '../../ui/feedback/empty.tsx'
import { useDragOrder } from '../../ui/form/drag-order.tsx'
import { useKept } from '../../ui/form/shared-record.tsx'
import { FormActions, FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { DeletedRows } from '../../ui/table/deleted-rows.tsx'
import { useTableView } from '../../ui/table/table-view.ts'
import { listingColumns } from './listing-columns.tsx'
import { ListingFields } from './listing-fields.tsx'
import { dialogListingDraft } from './listing-form-values.ts'
import { ListingGrid } from './listing-grid.tsx'
import { inStoreOrder, movedOrders } from './listing-order.ts'
import { type ListingActions, packNameOf } from './listing-parts.tsx'
import { useDeletion } from './use-deletion.ts'
import { useListingForm } from './use-listing-form.ts'
import { useListingSteps } from './use-listing-steps.ts'

export interface ListingListProps {
  readonly listings: readonly AdminListing[]
  readonly isGrid: boolean
  /** Id of the listing in the dialog, `new`, or empty. */
  readonly edited: string
  readonly onEdit: (id: string) => void
}

const viewDefaults = { sort: 'order' }

export function ListingList({ listings, isGrid, edited, onEdit }: ListingListProps) {
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
  const deleted = useDeletion('Store listing', ordered, {
    headingId: 'store-heading',
    nameOf: packNameOf,
  })
  const { remove } = deleted
  const actions = useMemo<ListingActions>(
    () => ({
      onEdit: ({ id }) => onEdit(String(id)),
      onDelete: (listing) => void remove(listing),
      onToggle: toggle,
      onMove: (listing, by) => place(stored, listing, ids.indexOf(listing.id) + by),
      handleOf: drag.handleOf,
      isFirst: ({ id }) => ids[0] === id,
      isLast: ({ id }) => ids.at(-1) === id,
    }),
    [stored, ids, toggle, place, onEdit, remove, drag.handleOf],
  )
  const found = listings.find(({ id }) => String(id) === edited)
  const { record: editedListing, isGone } = useKept(found, edited)
  const empty = <Empty picture={<Store aria-hidden="true" />} title="No store listings found" />
  return (
    <>
      {isGrid && deleted.rows.length > 0 ? (
        <ListingGrid listings={deleted.rows} actions={actions} lineOf={deleted.lineOf} />
      ) : (
        <ListingTable deleted={deleted} actions={actions} empty={empty} />
      )}
      {(edited === 'new' || editedListing) && (
        <ListingDialog
          key={edited}
          listing={editedListing}
          isGone={isGone}
          onClose={() => onEdit('')}
        />
      )}
    </>
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
      name="store-listings"
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
      searchLabel="Search listings"
      onOpen={actions.onEdit}
      csv={true}
      isPolled={false}
    />
  )
}

interface ListingDialogProps {
  /** The listing that is edited; absent for a new one. */
  readonly listing: AdminListing | undefined
  readonly isGone: boolean
  readonly onClose: () => void
}

/** Open as long as it is mounted; give it the listing's id as key. */
function ListingDialog({ listing, isGone, onClose }: ListingDialogProps) {
  const { form, save, shared, isSaving } = useListingForm({
    ...(listing && { listing }),
    isGone,
    start: dialogListingDraft,
    onDone: onClose,
  })
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={listing ? 'Edit Store Listing' : 'Add Store Listing'}
      isUnsaved={form.formState.isDirty}
    >
      <form noValidate onSubmit={save}>
        <ListingFields form={form} className="grid grid-cols-1 gap-5" />
        <FormActions
          submitLabel={listing ? 'Save changes' : 'Create listing'}
          pendingLabel="Saving..."
          isPending={isSaving}
          shared={shared}
        />
      </form>
    </FormDialog>
  )
}
