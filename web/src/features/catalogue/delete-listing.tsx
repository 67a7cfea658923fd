// Asks before a listing is deleted, says what that does, and offers to take it back.

import type { AdminListing } from '@redpack/contract'
import { plural } from '../../lib/format.ts'
import { reportOutcome } from '../../ui/outcome-toast.ts'
import { TypedConfirmDialog } from '../../ui/typed-confirm-dialog.tsx'
import { packNameOf } from './listing-parts.tsx'
import { useDeleteListing, useRestoreListing } from './listing-queries.ts'

export interface DeleteListingProps {
  readonly listing: AdminListing
  readonly onClose: () => void
}

/** Open as long as it is mounted. What is on sale right now has to be confirmed by typing. */
export function DeleteListing({ listing, onClose }: DeleteListingProps) {
  const remove = useDeleteListing()
  const restore = useRestoreListing()
  const undo = () =>
    reportOutcome(restore.mutateAsync(listing.id), {
      done: 'Store listing restored successfully',
      failureTitle: 'Error',
      fallback: 'Failed to restore store listing',
    })
  const confirm = async () => {
    await reportOutcome(remove.mutateAsync(listing.id), {
      done: 'Store listing deleted successfully',
      action: { label: 'Undo', onSelect: undo },
      failureTitle: 'Error deleting store listing',
      fallback: 'Failed to delete store listing',
    })
    onClose()
  }
  return (
    <TypedConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Delete the listing of ${packNameOf(listing)}?`}
      description={lossOf(listing)}
      phrase={listing.isActive ? 'DELETE' : undefined}
      confirmLabel="Delete"
      onConfirm={confirm}
      isPending={remove.isPending}
    />
  )
}

/** What goes and what stays, in counted words. */
function lossOf({ isActive, isUnlimited, quantityAvailable }: AdminListing): string {
  const sale = isActive ? 'It leaves the store at once.' : 'It is not on sale at the moment.'
  const stock =
    isUnlimited || quantityAvailable === 0
      ? ''
      : ` ${plural(quantityAvailable, 'unsold pack is', 'unsold packs are')} taken off sale.`
  return `${sale}${stock} Packs that were bought stay with their buyers, and purchases keep their price.`
}
