// What a listing shows of itself, in the table and on its card.

import type { AdminListing } from '@redpack/contract'
import { ArrowDown, ArrowUp, Pencil } from 'lucide-react'
import { formatNumber, plural } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/state.tsx'
import { IconButton } from '../../ui/form/button.tsx'
import { DragHandle, type HandleProps } from '../../ui/form/drag-order.tsx'
import { SwitchField } from '../../ui/form/toggle-fields.tsx'
import { DeleteButton } from '../../ui/table/deleted-rows.tsx'
import { CardImage } from '../packs/shared/card-image.tsx'
import { usePackTypeImage } from './pack-type-queries.ts'

export interface ListingActions {
  readonly onEdit: (listing: AdminListing) => void
  readonly onDelete: (listing: AdminListing) => void
  readonly onToggle: (listing: AdminListing, isActive: boolean) => void
  readonly onMove: (listing: AdminListing, by: -1 | 1) => void
  readonly handleOf: (id: number) => HandleProps
  readonly isFirst: (listing: AdminListing) => boolean
  readonly isLast: (listing: AdminListing) => boolean
}

/** A pack type can be missing from what older servers answer. */
export function packNameOf(listing: AdminListing | undefined): string {
  return listing?.packType?.name || 'Unknown Pack'
}

export function ListingPicture({ listing, className }: ListingPartProps & { className?: string }) {
  const stored = usePackTypeImage(listing.packType)
  const image = listing.customImage ? { imageUrl: listing.customImage } : stored
  return (
    <CardImage
      {...image}
      color={listing.packType?.color}
      fallback={
        <span className="text-center text-[0.75rem] leading-tight font-semibold">No Image</span>
      }
      className={className}
    />
  )
}

interface ListingPartProps {
  readonly listing: AdminListing
}

export function Availability({ listing }: ListingPartProps) {
  if (listing.isUnlimited) return <>Unlimited</>
  if (listing.quantityAvailable === 0) return <Badge tone="danger">Sold out</Badge>
  return <>{plural(listing.quantityAvailable, 'pack', 'packs')}</>
}

interface ListingActionProps extends ListingPartProps {
  readonly actions: ListingActions
}

interface SortStepsProps extends ListingActionProps {
  /** True adds a handle to drag by; the steps are there for everyone. */
  readonly canDrag: boolean
}

/** The place in the store, a handle, and a step up or down. */
export function SortSteps({ listing, actions, canDrag }: SortStepsProps) {
  const name = packNameOf(listing)
  return (
    // The narrowest card has no room for the handle beside the steps.
    <span className="inline-flex items-center gap-1 max-[22rem]:[&>.drag-handle]:hidden">
      {canDrag && <DragHandle {...actions.handleOf(listing.id)} id={listing.id} name={name} />}
      <span className="min-w-8 text-end tabular-nums">{formatNumber(listing.sortOrder)}</span>
      <IconButton
        label={`Move ${name} up`}
        isOff={actions.isFirst(listing)}
        onClick={() => actions.onMove(listing, -1)}
        icon={ArrowUp}
      />
      <IconButton
        label={`Move ${name} down`}
        isOff={actions.isLast(listing)}
        onClick={() => actions.onMove(listing, 1)}
        icon={ArrowDown}
      />
    </span>
  )
}

export function StatusSwitch({ listing, actions }: ListingActionProps) {
  return (
    <div className="inline-block">
      <SwitchField
        label={
          <>
            <span className="sr-only">{packNameOf(listing)} on sale</span>
            <span aria-hidden="true">{listing.isActive ? 'Active' : 'Inactive'}</span>
          </>
        }
        isOn={listing.isActive}
        onChange={(isActive) => actions.onToggle(listing, isActive)}
      />
    </div>
  )
}

export function RowActions({ listing, actions }: ListingActionProps) {
  const name = packNameOf(listing)
  return (
    <span className="inline-flex">
      <IconButton
        label={`Edit listing of ${name}`}
        onClick={() => actions.onEdit(listing)}
        icon={Pencil}
      />
      <DeleteButton label={`Delete listing of ${name}`} onClick={() => actions.onDelete(listing)} />
    </span>
  )
}
