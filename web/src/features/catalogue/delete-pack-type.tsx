// Asks before a pack type is deleted, says what that does, and offers to take it back.

import type { AdminPackType } from '@redpack/contract'
import { useState } from 'react'
import { ApiError, httpTextOf } from '../../lib/api-error.ts'
import { Notice } from '../../ui/notice.tsx'
import { reportOutcome, toastDone, toastFailed } from '../../ui/outcome-toast.ts'
import { TypedConfirmDialog } from '../../ui/typed-confirm-dialog.tsx'
import { useDeletePackType, useRestorePackType } from './pack-type-queries.ts'

export interface DeletePackTypeProps {
  readonly packType: AdminPackType
  /** How many prizes are assigned to it; undefined while that is not known. */
  readonly prizeCount: number | undefined
  readonly onClose: () => void
}

/**
 * Open as long as it is mounted. The message names the status; why the server refused
 * stands in the dialog, which stays open.
 */
export function DeletePackType({ packType, prizeCount, onClose }: DeletePackTypeProps) {
  const [domainError, setRefusal] = useState<string>()
  const remove = useDeletePackType()
  const restore = useRestorePackType()
  const undo = () =>
    reportOutcome(restore.mutateAsync(packType.id), {
      done: 'Pack type restored successfully',
      failureTitle: 'Error',
      fallback: 'Failed to restore pack type',
    })
  const confirm = async () => {
    try {
      await remove.mutateAsync(packType.id)
      toastDone('Pack type deleted successfully', { label: 'Undo', onSelect: undo })
      onClose()
    } catch (error) {
      toastFailed('Error deleting pack type', new Error(httpTextOf(error)), httpTextOf(error))
      setRefusal(error instanceof ApiError ? error.serverMessage : undefined)
    }
  }
  return (
    <TypedConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Delete ${packType.name}?`}
      description={lossOf(prizeCount)}
      phrase="DELETE"
      confirmLabel="Delete"
      onConfirm={confirm}
      isPending={remove.isPending}
    >
      {domainError && (
        <Notice tone="danger" role="alert">
          {domainError}
        </Notice>
      )}
    </TypedConfirmDialog>
  )
}

/** What goes, what stays, and what keeps it from going. */
function lossOf(prizeCount: number | undefined): string {
  const prizes =
    prizeCount === undefined || prizeCount === 0
      ? ''
      : ` ${prizeCount === 1 ? '1 prize is' : `${prizeCount} prizes are`} taken out of it.`
  return `It can no longer be granted, sold or opened.${prizes} Past openings and purchases keep its name. While players hold unopened packs of it, or the store, a stream or a prize gives it away, it cannot be deleted.`
}
