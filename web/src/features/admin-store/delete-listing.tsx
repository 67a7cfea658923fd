// Asks before a listing is deleted, and says what that does.

import type { AdminListing } from '@redpack/contract'
import { plural } from '../../lib/format.ts'
import { toastDone, toastFailed } from '../../ui/outcome-toast.ts'
import { TypedConfirmDialog } from '../../ui/typed-confirm-dialog.tsx'
import { packNameOf } from './listing-parts.tsx'
import { useDeleteListing } from './queries.ts'

export interface DeleteListingProps {
  readonly listing: AdminListing
  readonly onClose: () => void
}

/** Open as long as it is mounted. What is on sale right now has to be confirmed by typing. */
export function DeleteListing({ listing, onClose }: DeleteListingProps) {
  const remove = useDeleteListing()
  const confirm = () =>
    remove.mutate(listing.id, {
      onSuccess: () => toastDone('Store listing deleted successfully'),
      onError: (error) =>
        toastFailed('Error deleting store listing', error, 'Failed to delete store listing'),
      onSettled: onClose,
    })
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
      : ` ${plural(quantityAvailable, 'unsold pack is', 'unsold packs are')} given up.`
  return `${sale}${stock} Packs that were bought stay with their buyers, and purchases keep their price.`
}
