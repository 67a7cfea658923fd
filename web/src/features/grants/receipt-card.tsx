// What came of a file: the numbers beside those that were shown before, and the receipt.

import type { BulkResponse } from '@redpack/contract'
import { CircleCheck, Download, ReceiptText } from 'lucide-react'
import { plural } from '../../lib/format.ts'
import { Button, buttonLook } from '../../ui/form/button.tsx'
import { receiptAddress } from './queries.ts'

export interface ReceiptCardProps {
  readonly answer: BulkResponse
  /** Rows that were going to be applied when the file was looked at. */
  readonly expected: number
  readonly onOpen: () => void
}

export function ReceiptCard({ answer, expected, onOpen }: ReceiptCardProps) {
  const { processedCount, failedCount, message, batchId } = answer
  const isExpected = processedCount === expected
  return (
    <section
      aria-label="Receipt"
      className="mt-5 grid gap-3 rounded-control border border-success bg-raised p-4"
    >
      <p className="flex items-start gap-2 font-semibold">
        <CircleCheck aria-hidden="true" className="mt-0.5 size-5 flex-none text-success" />
        {message}
      </p>
      <p className="text-muted">
        {plural(processedCount, 'row', 'rows')} applied, {plural(failedCount, 'row', 'rows')} left
        out.{' '}
        {isExpected
          ? 'That is what the preview showed.'
          : `The preview showed ${plural(expected, 'row', 'rows')}: something changed in between.`}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button tone="secondary" onClick={onOpen}>
          <ReceiptText aria-hidden="true" />
          Show receipt
        </Button>
        <a href={receiptAddress(batchId)} download className={buttonLook({ tone: 'secondary' })}>
          <Download aria-hidden="true" />
          Download CSV
        </a>
      </div>
    </section>
  )
}
