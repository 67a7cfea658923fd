// Asks before a prize is deleted, and says what that does.

import type { AdminPrize } from '@redpack/contract'
import { formatList, formatNumber } from '../../lib/format.ts'
import { toastDone, toastFailed } from '../../ui/outcome-toast.ts'
import { TypedConfirmDialog } from '../../ui/typed-confirm-dialog.tsx'
import { useDeletePrize } from './queries.ts'

export interface DeletePrizeProps {
  readonly prize: AdminPrize
  readonly onClose: () => void
}

/** Open as long as it is mounted. What players can still win has to be confirmed by typing. */
export function DeletePrize({ prize, onClose }: DeletePrizeProps) {
  const remove = useDeletePrize()
  const confirm = () =>
    remove.mutate(prize.id, {
      onSuccess: () => toastDone('Prize deleted successfully'),
      onError: (error) => toastFailed('Error deleting prize', error, 'Failed to delete prize'),
      onSettled: onClose,
    })
  return (
    <TypedConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Delete ${prize.name}?`}
      description={lossOf(prize)}
      phrase={prize.isActive ? 'DELETE' : undefined}
      confirmLabel="Delete"
      onConfirm={confirm}
      isPending={remove.isPending}
    />
  )
}

/** What goes and what stays, in counted words. */
function lossOf({ packTypes, inventoryQuantity }: AdminPrize): string {
  const names = formatList(packTypes.map(({ name }) => name))
  const leaves =
    packTypes.length === 0
      ? 'No pack holds it.'
      : `Nobody can win it any more: it leaves ${names}, and the odds there change at once.`
  const stock =
    inventoryQuantity === null || inventoryQuantity === 0
      ? ''
      : ` Its remaining stock of ${formatNumber(inventoryQuantity)} is given up.`
  return `${leaves}${stock} Prizes that were won already stay with their winners, with their Claim IDs.`
}
