// Asks before a stream is deleted, and offers to take it back.

import type { AdminStream } from '@redpack/contract'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { reportOutcome } from '../../ui/outcome-toast.ts'
import { useDeleteStream, useRestoreStream } from './stream-queries.ts'

export interface DeleteStreamProps {
  readonly stream: AdminStream
  readonly onClose: () => void
}

/** Open as long as it is mounted. */
export function DeleteStream({ stream, onClose }: DeleteStreamProps) {
  const remove = useDeleteStream()
  const restore = useRestoreStream()
  const undo = () =>
    reportOutcome(restore.mutateAsync(stream.id), {
      done: 'Stream restored successfully',
      failureTitle: 'Error',
      fallback: 'Failed to restore stream',
    })
  const confirm = async () => {
    await reportOutcome(remove.mutateAsync(stream.id), {
      done: 'Stream deleted successfully',
      action: { label: 'Undo', onSelect: undo },
      failureTitle: 'Error deleting stream',
      fallback: 'Failed to delete stream',
    })
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Delete ${stream.displayName}`}
      description="Are you sure you want to delete this stream?"
      confirmLabel="Confirm"
      onConfirm={confirm}
      isPending={remove.isPending}
    >
      <p className="text-sm text-muted">
        Viewers can no longer earn with it. What they have completed stays with them.
      </p>
    </ConfirmDialog>
  )
}
