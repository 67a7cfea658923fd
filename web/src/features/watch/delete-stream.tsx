// Asks before a stream is deleted, and offers to take it back.

import { type AdminStream, adminStreamsContract } from '@redpack/contract'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { reportOutcome } from '../../ui/outcome-toast.ts'

export interface DeleteStreamProps {
  readonly stream: AdminStream
  readonly onClose: () => void
}

/** Open as long as it is mounted. */
export function DeleteStream({ stream, onClose }: DeleteStreamProps) {
  const remove = useCall(adminStreamsContract.remove)
  const restore = useCall(adminStreamsContract.restore)
  const which = { params: { id: stream.id } }
  const undo = () =>
    reportOutcome(restore.mutateAsync(which), {
      done: 'Stream restored successfully',
      failureTitle: 'Error',
      fallback: 'Failed to restore stream',
    })
  const confirm = async () => {
    await reportOutcome(remove.mutateAsync(which), {
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
