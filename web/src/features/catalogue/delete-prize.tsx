// Asks before a prize is deleted, says what that does, and offers to take it back.

import type { AdminPrize } from '@redpack/contract'
import { formatList, formatNumber } from '../../lib/format.ts'
import { reportOutcome } from '../../ui/outcome-toast.ts'
import { TypedConfirmDialog } from '../../ui/typed-confirm-dialog.tsx'
import { useDeletePrize, useRestorePrize } from './prize-queries.ts'

export interface DeletePrizeProps {
  readonly prize: AdminPrize
  readonly onClose: () => void
}

/** Open as long as it is mounted. What players can still win has to be confirmed by typing. */
export function DeletePrize({ prize, onClose }: DeletePrizeProps) {
  const remove = useDeletePrize()
  const restore = useRestorePrize()
  const undo = () =>
    reportOutcome(restore.mutateAsync(prize.id), {
      done: 'Prize restored successfully',
      failureTitle: 'Error',
      fallback: 'Failed to restore prize',
    })
  const confirm = async () => {
    await reportOutcome(remove.mutateAsync(prize.id), {
      done: 'Prize deleted successfully',
      action: { label: 'Undo', onSelect: undo },
      failureTitle: 'Error deleting prize',
      fallback: 'Failed to delete prize',
    })
    onClose()
  }
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
      : ` Its remaining stock of ${formatNumber(inventoryQuantity)} leaves with it.`
  return `${leaves}${stock} Prizes that were won already stay with their winners, with their Claim IDs.`
}
