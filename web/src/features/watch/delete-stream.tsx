// Asks before a stream is deleted, and offers to take it back.

import { type AdminStream, adminStreamsContract } from '@redpack/contract'
import { useCall } from '../../lib/use-call.ts'
import { reportOutcome, toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import type { DeletedRows } from '../../ui/table/deleted-rows.tsx'

export interface DeleteStreamProps {
  readonly stream: AdminStream
  readonly deleted: DeletedRows<AdminStream>
  readonly onClose: () => void
}

/** Open as long as it is mounted. */
export function DeleteStream({ stream, deleted, onClose }: DeleteStreamProps) {
  const remove = useCall(adminStreamsContract.remove)
  const restore = useCall(adminStreamsContract.restore)
  const which = { params: { id: stream.id } }
  const name = stream.displayName
  const undo = () =>
    reportOutcome(restore.mutateAsync(which), {
      done: `Stream restored successfully: ${name}`,
      failureTitle: 'Error',
      fallback: 'Failed to restore stream',
    })
  const confirm = async () => {
    deleted.begin(stream, name)
    try {
      await remove.mutateAsync(which)
      const onSelect = deleted.settle(stream, undo)
      toastDone(`Stream deleted successfully: ${name}`, { label: 'Undo', onSelect })
    } catch (error) {
      deleted.giveUp(stream)
      toastFailed('Error deleting stream', error, 'Failed to delete stream')
    }
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Delete ${name}`}
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
