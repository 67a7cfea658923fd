// Says that a file gave nothing because it was applied before, and asks before it is granted anew.

import type { BulkResponse } from '@redpack/contract'
import { ReceiptText, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/form/button.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'

export interface AppliedBeforeProps {
  readonly answer: BulkResponse
  /** Shows the receipt of the first batch. */
  readonly onOpen: () => void
  readonly onApplyAgain: () => void
  readonly isPending: boolean
}

export function AppliedBefore({ answer, onOpen, onApplyAgain, isPending }: AppliedBeforeProps) {
  const [isAsking, setAsking] = useState(false)
  const first = `batch ${answer.batchId.slice(0, 8)} of ${formatDateTime(answer.appliedAt ?? '')}`
  return (
    <div className="mt-5 grid gap-3">
      <Notice tone="warning" role="status">
        {answer.message} It was {first}.
      </Notice>
      <div className="flex flex-wrap gap-2">
        <Button tone="secondary" onClick={onOpen}>
          <ReceiptText aria-hidden="true" />
          Show receipt
        </Button>
        <Button tone="secondary" onClick={() => setAsking(true)} isPending={isPending}>
          {!isPending && <RotateCw aria-hidden="true" />}
          Apply again
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title="Apply again?"
        description={`This very file was applied as ${first}. Everybody in it gets it once more, as a new batch.`}
        confirmLabel="Apply again"
        onConfirm={() => {
          setAsking(false)
          onApplyAgain()
        }}
      />
    </div>
  )
}
