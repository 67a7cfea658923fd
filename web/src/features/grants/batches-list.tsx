// What was given to many before, by file or without one, and taken back again.

import { adminBatchesContract, type Batch, type ReverseBatchResponse } from '@redpack/contract'
import { History, ReceiptText, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { formatNumber, plural } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { Badge, DataState, Empty, Notice } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { Card, CardHeader, RefreshingDot } from '../../ui/layout/section.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { useQuestion } from '../../ui/overlay/question.tsx'
import { Pagination, useLastPage } from '../../ui/table/pagination.tsx'
import { useTableView } from '../../ui/table/table-view.ts'
import { useStaffPowers } from '../session/queries.ts'
import { amountOf } from './grant-fields.tsx'
import { type BatchesView, useBatches } from './queries.ts'

const viewDefaults = { filters: { kind: 'all', recipients: 'all' } }

const kindChoices = [
  { value: 'all', label: 'Packs and RedCoin' },
  { value: 'packs', label: 'Packs' },
  { value: 'redcoin', label: 'RedCoin' },
] as const satisfies readonly { readonly value: BatchesView['kind']; readonly label: string }[]
const recipientChoices = [
  { value: 'all', label: 'Anyone' },
  { value: 'file', label: 'By file' },
  { value: 'named', label: 'Named users' },
  { value: 'everyone', label: 'All users' },
] as const satisfies readonly {
  readonly value: BatchesView['recipients']
  readonly label: string
}[]

/** The choice that the address names, or all. */
function chosen<const V extends string>(
  choices: readonly { readonly value: V }[],
  word: string | undefined,
): V | 'all' {
  return choices.find(({ value }) => value === word)?.value ?? 'all'
}

export function BatchesList({ onOpen }: { readonly onOpen: (id: string) => void }) {
  const [{ page, filters }, change] = useTableView(viewDefaults)
  const [ask, dialogs] = useReversal(onOpen)
  const kind = chosen(kindChoices, filters.kind)
  const recipients = chosen(recipientChoices, filters.recipients)
  const batches = useBatches({ page, kind, recipients })
  const { data, isPlaceholderData } = batches
  const totalPages = data?.totalPages ?? 0
  useLastPage(page, isPlaceholderData ? 0 : totalPages, (last) => change({ page: last }, true))
  const isFiltered = kind !== 'all' || recipients !== 'all'
  return (
    <Card>
      <CardHeader
        level={3}
        title={
          <span className="flex items-center gap-2">
            Batches
            <RefreshingDot isShown={isPlaceholderData} />
          </span>
        }
        description="Files and grants to all, each with a receipt. A batch can be reversed once."
      />
      <div className="mb-4 flex flex-wrap gap-3">
        <SelectField
          label="What was granted"
          choices={kindChoices}
          value={kind}
          onChange={(event) => change({ filters: { kind: event.target.value } })}
          fieldClassName="w-full sm:w-56"
        />
        <SelectField
          label="Recipients"
          choices={recipientChoices}
          value={recipients}
          onChange={(event) => change({ filters: { recipients: event.target.value } })}
          fieldClassName="w-full sm:w-56"
        />
      </div>
      <DataState
        query={batches}
        what="batches"
        skeleton={['h-24 w-full', 'h-24 w-full']}
        className="grid gap-3"
        isBrief
      >
        {({ batches: shown }) =>
          shown.length === 0 ? (
            <Empty
              picture={<History />}
              title={isFiltered ? 'No batches match the filters' : 'No batches yet'}
              description={!isFiltered && 'Applied files and grants to all are listed here.'}
            />
          ) : (
            <ul className="grid gap-3">
              {shown.map((batch) => (
                <BatchItem
                  key={batch.id}
                  batch={batch}
                  onOpen={() => onOpen(batch.id)}
                  onReverse={() => ask(batch)}
                />
              ))}
            </ul>
          )
        }
      </DataState>
      <Pagination
        label="Batch pages"
        page={page}
        totalPages={totalPages}
        onPageChange={(next) => change({ page: next })}
      />
      {dialogs}
    </Card>
  )
}

interface BatchItemProps {
  readonly batch: Batch
  readonly onOpen: () => void
  readonly onReverse: () => void
}

function BatchItem({ batch, onOpen, onReverse }: BatchItemProps) {
  const { processedCount, failedCount, total, packType, actor, createdAt } = batch
  const name = batchName(batch)
  const { mayActOnEverybody } = useStaffPowers()
  const mayReverse = mayActOnEverybody || batch.recipients !== 'everyone'
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-control border border-line bg-raised p-4">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 break-all font-semibold">{name}</span>
          {batch.reversedBy !== null && <Badge tone="idle">Reversed</Badge>}
        </p>
        <p className="font-display text-lg tabular-nums">{amountOf(total, packType?.name)}</p>
        <p className="text-sm text-muted">
          {plural(processedCount, 'row', 'rows')} applied
          {failedCount > 0 && `, ${plural(failedCount, 'row', 'rows')} skipped`} ·{' '}
          {actor.displayName} · <Moment at={createdAt} />
        </p>
        {batch.description !== null && <p className="break-words text-sm">{batch.description}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={ReceiptText}
          tone="secondary"
          onClick={onOpen}
          aria-label={`Receipt of ${name}`}
        >
          Receipt
        </Button>
        {batch.reverses === null && batch.reversedBy === null && (
          <Button
            icon={Undo2}
            tone="danger"
            onClick={onReverse}
            aria-label={`Reverse ${name}`}
            disabled={!mayReverse}
            title={mayReverse ? undefined : 'Only a super user can do this'}
          >
            Reverse
          </Button>
        )}
      </div>
    </li>
  )
}

/** Asks before a batch is reversed; `onReceipt` opens the receipt of the reversal. */
function useReversal(onReceipt: (batchId: string) => void) {
  const reverse = useCall(adminBatchesContract.reverse)
  const [outcome, setOutcome] = useState<ReverseBatchResponse>()
  const [ask, question] = useQuestion((batch: Batch) => {
    const what = amountOf(batch.total, batch.packType?.name)
    const users = plural(batch.processedCount, 'user', 'users')
    return {
      title: 'Reverse this batch?',
      description: `This takes back ${what} from ${users}, at most what they still have. It can be done once. Players see it in their history.`,
      confirmLabel: 'Reverse',
      onConfirm: () =>
        reverse.mutate(
          { params: { id: batch.id } },
          {
            onSuccess: (answer) => {
              announce(answer.message)
              toastDone(answer.message)
              if (answer.shortfall > 0) setOutcome(answer)
            },
            onError: (error) => toastFailed('Error', error, 'Failed to reverse the batch'),
          },
        ),
      children: <p className="break-all font-medium">{batchName(batch)}</p>,
    }
  })
  const dialogs = (
    <>
      {question}
      <Shortfall
        outcome={outcome}
        onClose={() => setOutcome(undefined)}
        onReceipt={() => {
          if (outcome) onReceipt(outcome.batchId)
          setOutcome(undefined)
        }}
      />
    </>
  )
  return [ask, dialogs] as const
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
      title="Not everything could be taken back"
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

const grantNames = {
  file: 'Grant by file',
  named: 'Grant to named users',
  everyone: 'Grant to all users',
} as const satisfies Readonly<Record<Batch['recipients'], string>>

/** What the batch is called: its file, whom it reached, or what it takes back. */
export function batchName({ fileName, reverses, recipients }: Batch): string {
  if (reverses !== null) return `Reversal of a ${grantNames[recipients].toLowerCase()}`
  return fileName ?? grantNames[recipients]
}
