// The receipt of one batch: who, when, which file or reason, and every row.

import type { Batch, BatchRow, RowVerdict } from '@redpack/contract'
import {
  Check,
  CircleHelp,
  Copy,
  Hash,
  TriangleAlert,
  UserPen,
  UserX,
  WalletMinimal,
} from 'lucide-react'
import { cn } from '../../lib/class-names.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { pageNumberOf, useSearchValue } from '../../lib/search-value.ts'
import { Badge, DataState, Empty } from '../../ui/feedback/state.tsx'
import { Button, DownloadButton } from '../../ui/form/button.tsx'
import { SwitchField } from '../../ui/form/toggle-fields.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { Pagination } from '../../ui/table/pagination.tsx'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { batchName } from './batches-list.tsx'
import { amountOf } from './grant-fields.tsx'
import { receiptAddress, useBatch } from './queries.ts'

interface BatchDialogProps {
  readonly id: string
  readonly onClose: () => void
  /** Opens another batch in place of this one. */
  readonly onOpen: (id: string) => void
}

const fileHashTerm = 'File SHA-256'

/** The word of the address for rows that were not applied as they stand. */
const problems = 'problems'

export function BatchDialog({ id, onClose, onOpen }: BatchDialogProps) {
  const [rows, setRows] = useSearchValue('rows', 'push')
  const [wanted, setPage] = useSearchValue('rowPage', 'push')
  const onlyProblems = rows === problems
  const page = pageNumberOf(Number(wanted))
  const receipt = useBatch(id, page, onlyProblems)
  const { data } = receipt
  return (
    <Dialog
      onOpenChange={onClose}
      isWide
      title="Receipt"
      description={data ? batchName(data.batch) : 'The receipt of a batch'}
    >
      <DataState query={receipt} what="the receipt" skeleton="h-72 w-full" className="" isBrief>
        {({ batch, rows: shown, totalPages }) => (
          <div className="grid grid-cols-1 gap-4">
            <BatchFacts batch={batch} onOpen={onOpen} />
            {batch.failedCount > 0 && (
              <SwitchField
                label="Only rows with problems"
                isOn={onlyProblems}
                onChange={(isOn) => {
                  setRows(isOn ? problems : '')
                  setPage('')
                }}
              />
            )}
            {shown.length === 0 ? (
              <Empty title="No rows to show" />
            ) : (
              <BatchRows label="Rows of the batch" rows={shown} />
            )}
            <Pagination
              label="Pages of rows"
              page={page}
              totalPages={totalPages}
              onPageChange={(next) => setPage(next === 1 ? '' : String(next))}
            />
          </div>
        )}
      </DataState>
      <DialogActions>
        <DownloadButton href={receiptAddress(id)}>Download CSV</DownloadButton>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Dialog>
  )
}

interface FactsProps {
  readonly batch: Batch
  readonly onOpen: (id: string) => void
}

function BatchFacts({ batch, onOpen }: FactsProps) {
  const other = batch.reverses ?? batch.reversedBy
  const facts: readonly (readonly [string, string])[] = [
    ['What', amountOf(batch.total, batch.packType?.name)],
    [
      'Rows',
      `${formatNumber(batch.processedCount)} applied, ${formatNumber(batch.failedCount)} skipped`,
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

interface BatchRowsProps {
  readonly label: string
  readonly rows: readonly BatchRow[]
}

export function BatchRows({ label, rows }: BatchRowsProps) {
  return (
    <PlainTable
      label={label}
      heads={['Row', 'User and verdict', 'Amount']}
      className="[&_:is(th,td):last-child]:text-end [&_th:not(:nth-child(2))]:w-px"
    >
      {rows.map((row) => (
        <tr key={row.row}>
          <td className="text-muted tabular-nums">{formatNumber(row.row)}</td>
          <td className="max-w-0">
            <UserAndVerdict row={row} />
          </td>
          <td className="tabular-nums">
            {row.amount === null ? '–' : formatNumber(row.amount)}
            {row.after !== null && (
              <span className="block whitespace-nowrap text-muted">
                then {formatNumber(row.after)}
              </span>
            )}
          </td>
        </tr>
      ))}
    </PlainTable>
  )
}

/** The verdict stands beside the name, or below it where there is no room. */
function UserAndVerdict({ row }: { readonly row: BatchRow }) {
  const { username, displayName, verdict, reason } = row
  const { word, tone, Icon } = looks[verdict]
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <div className="min-w-0 flex-1 basis-36">
        <span className="block truncate" title={username}>
          {username || '(empty)'}
        </span>
        {displayName !== null && displayName !== username && (
          <span className="block truncate text-sm text-muted">{displayName}</span>
        )}
      </div>
      <div className="flex-none">
        <Badge tone={tone} icon={<Icon />}>
          {word}
        </Badge>
        {reason !== null && telling.includes(verdict) && (
          <span className="mt-0.5 block text-sm text-muted">{reason}</span>
        )}
      </div>
    </div>
  )
}

const looks = {
  ok: { word: 'OK', tone: 'success', Icon: Check },
  unknown: { word: 'Unknown user', tone: 'danger', Icon: UserX },
  ambiguous: { word: 'Several users', tone: 'danger', Icon: CircleHelp },
  renamed: { word: 'Renamed', tone: 'warning', Icon: UserPen },
  duplicate: { word: 'Duplicate', tone: 'warning', Icon: Copy },
  bad_number: { word: 'Bad number', tone: 'danger', Icon: Hash },
  over_limit: { word: 'Over limit', tone: 'danger', Icon: TriangleAlert },
  spent: { word: 'Spent', tone: 'warning', Icon: WalletMinimal },
  gone: { word: 'Gone', tone: 'warning', Icon: UserX },
} as const satisfies Record<RowVerdict, object>

/** Where the reason says more than the verdict's own word: a new name, what is missing. */
const telling: readonly RowVerdict[] = ['renamed', 'bad_number', 'spent']
