// Asks before a batch is reversed, and names who has spent it already.

import { adminBatchesContract, type Batch, type ReverseBatchResponse } from '@redpack/contract'
import { useState } from 'react'
import { formatNumber, plural } from '../../lib/format.ts'
import { useIdempotentCall } from '../../lib/use-call.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { ConfirmDialog, Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { batchName } from './batch-words.ts'
import { amountOf } from './file-preview.tsx'

export interface ReverseDialogProps {
  /** The batch that is asked about; undefined while none is. */
  readonly batch: Batch | undefined
  readonly onClose: () => void
  /** Opens the receipt of the reversal. */
  readonly onDone: (batchId: string) => void
}

export function ReverseDialog({ batch, onClose, onDone }: ReverseDialogProps) {
  const reverse = useIdempotentCall(adminBatchesContract.reverse)
  const [outcome, setOutcome] = useState<ReverseBatchResponse>()
  const what = batch ? amountOf(batch.total, batch.packType?.name) : ''
  const users = plural(batch?.processedCount ?? 0, 'user', 'users')
  return (
    <>
      <ConfirmDialog
        isOpen={batch !== undefined}
        onOpenChange={onClose}
        title="Reverse this batch?"
        description={`This takes back ${what} from ${users}, at most what they still have. It can be done once. Players see it in their history.`}
        confirmLabel="Reverse"
        onConfirm={() => {
          if (!batch) return
          reverse.mutate(
            { params: { id: batch.id } },
            {
              onSuccess: (answer) => {
                announce(answer.message)
                toastDone(answer.message)
                if (answer.shortfall > 0) setOutcome(answer)
              },
              onError: (error) => toastFailed('Error', error, 'Failed to reverse the batch'),
              onSettled: onClose,
            },
          )
        }}
        isPending={reverse.isPending}
      >
        <p className="break-all font-medium">{batch && batchName(batch)}</p>
      </ConfirmDialog>
      <Shortfall
        outcome={outcome}
        onClose={() => setOutcome(undefined)}
        onReceipt={() => {
          if (outcome) onDone(outcome.batchId)
          setOutcome(undefined)
        }}
      />
    </>
  )
}

/** How many names are shown here; the receipt has all of them. */
const namesMax = 100

interface ShortfallProps {
  readonly outcome: ReverseBatchResponse | undefined
  readonly onClose: () => void
  readonly onReceipt: () => void
}

function Shortfall({ outcome, onClose, onReceipt }: ShortfallProps) {
  const spent = outcome?.spent ?? []
  const spentCount = outcome?.spentCount ?? 0
  return (
    <Dialog
      isOpen={outcome !== undefined}
      onOpenChange={onClose}
      title="Not all of it was there"
      description={outcome?.message}
    >
      <Notice tone="warning" className="mb-4">
        {formatNumber(outcome?.shortfall ?? 0)} could not be taken back:{' '}
        {plural(spentCount, 'user has', 'users have')} spent some of it.
      </Notice>
      <ul className="grid max-h-72 gap-1 overflow-y-auto">
        {spent.slice(0, namesMax).map(({ username, given, taken }) => (
          <li key={username} className="flex justify-between gap-3 border-line border-b py-2">
            <span className="min-w-0 truncate">{username}</span>
            <span className="flex-none text-muted tabular-nums">
              {formatNumber(taken)} of {formatNumber(given)} taken back
            </span>
          </li>
        ))}
      </ul>
      {spentCount > namesMax && (
        <p className="mt-2 text-muted">
          And {formatNumber(spentCount - namesMax)} more: the receipt has all of them.
        </p>
      )}
      <DialogActions>
        <Button tone="secondary" onClick={onReceipt}>
          Show receipt
        </Button>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Dialog>
  )
}
