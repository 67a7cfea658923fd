// The receipt of one batch: who, when, which file or reason, and every row.

import type { Batch } from '@redpack/contract'
import { Download } from 'lucide-react'
import { cn } from '../../lib/class-names.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { askAgain, LoadError, Loading, Skeleton } from '../../ui/feedback/data-state.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { Button, buttonLook } from '../../ui/form/button.tsx'
import { SwitchField } from '../../ui/form/toggle-fields.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { Pagination } from '../../ui/table/pagination.tsx'
import { BatchRows } from './batch-rows.tsx'
import { batchName } from './batch-words.ts'
import { amountOf } from './file-preview.tsx'
import { receiptAddress, useBatch } from './queries.ts'

export interface BatchDialogProps {
  readonly id: string
  readonly onClose: () => void
  /** Opens another batch in place of this one. */
  readonly onOpen: (id: string) => void
}

const fileHashTerm = 'File SHA-256'

/** The word of the address for rows that were not applied as they stand. */
const problems = 'problems'

/** The page that the address names, or the first. */
function pageOf(text: string): number {
  const page = Number(text)
  return Number.isSafeInteger(page) && page > 1 ? page : 1
}

export function BatchDialog({ id, onClose, onOpen }: BatchDialogProps) {
  const [rows, setRows] = useSearchValue('rows', 'push')
  const [wanted, setPage] = useSearchValue('rowPage', 'push')
  const onlyProblems = rows === problems
  const page = pageOf(wanted)
  const receipt = useBatch({ id, page, onlyProblems })
  const { data, error } = receipt
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      isWide
      title="Receipt"
      description={data ? batchName(data.batch) : 'The receipt of a batch'}
    >
      {data ? (
        <div className="grid grid-cols-1 gap-4">
          <Facts batch={data.batch} onOpen={onOpen} />
          {data.batch.failedCount > 0 && (
            <SwitchField
              label="Only rows with problems"
              isOn={onlyProblems}
              onChange={(isOn) => {
                setRows(isOn ? problems : '')
                setPage('')
              }}
            />
          )}
          {data.rows.length === 0 ? (
            <Empty title="No rows to show" />
          ) : (
            <BatchRows label="Rows of the batch" rows={data.rows} />
          )}
          <Pagination
            label="Pages of rows"
            page={page}
            totalPages={data.totalPages}
            onPageChange={(next) => setPage(next === 1 ? '' : String(next))}
          />
        </div>
      ) : error ? (
        <LoadError title="Error loading the receipt" {...askAgain(receipt)} />
      ) : (
        <Loading label="Loading the receipt">
          <Skeleton className="h-72 w-full" />
        </Loading>
      )}
      <DialogActions>
        <a href={receiptAddress(id)} download className={buttonLook({ tone: 'secondary' })}>
          <Download aria-hidden="true" />
          Download CSV
        </a>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Dialog>
  )
}

interface FactsProps {
  readonly batch: Batch
  readonly onOpen: (id: string) => void
}

function Facts({ batch, onOpen }: FactsProps) {
  const other = batch.reverses ?? batch.reversedBy
  const facts: readonly (readonly [string, string])[] = [
    ['What', amountOf(batch.total, batch.packType?.name)],
    [
      'Rows',
      `${formatNumber(batch.processedCount)} applied, ${formatNumber(batch.failedCount)} not`,
    ],
    ['By', `${batch.actor.displayName} (@${batch.actor.username})`],
    ['When', formatDateTime(batch.createdAt)],
    ...(batch.description === null ? [] : [['Reason', batch.description] as const]),
    ...(batch.fileHash === null ? [] : [[fileHashTerm, batch.fileHash] as const]),
  ]
  return (
    <>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-2 sm:grid-cols-2">
        {facts.map(([term, value]) => (
          <div key={term} className="min-w-0">
            <dt className="text-sm text-muted">{term}</dt>
            <dd className={cn('break-all', term === fileHashTerm && 'font-mono text-sm')}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {other !== null && (
        <div>
          <Button tone="secondary" onClick={() => onOpen(other)}>
            {batch.reverses === null ? 'Show its reversal' : 'Show what it takes back'}
          </Button>
        </div>
      )}
    </>
  )
}
