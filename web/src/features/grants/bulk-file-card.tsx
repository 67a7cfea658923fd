// Gives packs or RedCoin as a CSV file says: look at every row first, then apply, then the receipt.

import type { BatchKind, BulkResponse, PreviewResponse } from '@redpack/contract'
import { CircleCheck, Download, ReceiptText, RotateCw, Send } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { ApiError, messageOf, withReasons } from '../../lib/api-error.ts'
import { formatDateTime, formatNumber, plural } from '../../lib/format.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { Empty, Loading, Notice, Skeleton } from '../../ui/feedback/state.tsx'
import { Button, DownloadButton } from '../../ui/form/button.tsx'
import { FileDrop } from '../../ui/form/file-drop.tsx'
import { entered, Form } from '../../ui/form/text-field.tsx'
import { SwitchField } from '../../ui/form/toggle-fields.tsx'
import { Card, CardHeader, Figure } from '../../ui/layout/section.tsx'
import { useQuestion } from '../../ui/overlay/question.tsx'
import { saveCsv } from '../../ui/table/csv.ts'
import { Pagination } from '../../ui/table/pagination.tsx'
import { PackTypeSelect } from '../catalogue/shared/pack-type-select.tsx'
import { BatchRows } from './batch-dialog.tsx'
import { amountOf, isLargeGrant, largeGrantQuestion } from './grant-fields.tsx'
import {
  type BulkInput,
  batchRowsPageSize,
  type FileToApply,
  receiptAddress,
  useApplyFile,
  usePreview,
} from './queries.ts'

const columns = { packs: 'username,quantity', redcoin: 'username,amount' } as const

/** A file to fill in, with the right header and one example. */
function saveTemplate(kind: BatchKind): void {
  const example = kind === 'packs' ? 'some_viewer,2' : 'some_viewer,100'
  saveCsv(`${kind}-template`, `${columns[kind]}\r\n${example}\r\n`)
}

const words = {
  packs: {
    title: 'Bulk CSV Distribution',
    description: 'Packs of one type for many users. Usernames must match exactly.',
    missing: 'Please select a pack type and CSV file',
    fallback: 'Failed to process bulk pack distribution',
    file: 'CSV file with packs',
    button: 'Distribute Packs',
  },
  redcoin: {
    title: 'Bulk RedCoin Distribution',
    description: 'RedCoin for many users. Usernames must match exactly.',
    missing: 'Please select a CSV file',
    fallback: 'Failed to process bulk RedCoin distribution',
    file: 'CSV file with RedCoin',
    button: 'Distribute RedCoin',
  },
} as const

interface Outcome {
  readonly answer: BulkResponse
  readonly sent: FileToApply
  /** Rows that were going to be applied when the file was looked at. */
  readonly expected: number
}

interface BulkFileCardProps {
  readonly kind: BatchKind
  readonly onOpenBatch: (id: string) => void
}

export function BulkFileCard({ kind, onOpenBatch }: BulkFileCardProps) {
  const { title, description, missing, fallback, file: fileLabel, button } = words[kind]
  const [packType, setPackType] = useState('')
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useState<string>()
  const [done, setDone] = useState<Outcome>()
  /** It gave nothing, since it was applied before. */
  const [before, setBefore] = useState<Outcome>()
  const preview = usePreview()
  const apply = useApplyFile()
  const isChosen = file !== undefined && (kind === 'redcoin' || packType !== '')
  const { mutate: look, reset: forget } = preview

  const check = useCallback(
    (input: BulkInput) =>
      look(input, {
        onSuccess: ({ processedCount, failedCount }) =>
          announce(
            `${plural(processedCount, 'row', 'rows')} to apply, ${plural(failedCount, 'row', 'rows')} skipped.`,
          ),
        onError: (error) => setProblem(messageOf(error, fallback)),
      }),
    [look, fallback],
  )
  useEffect(() => {
    forget()
    if (!file || (kind === 'packs' && packType === '')) return
    setProblem(undefined)
    check({ kind, packTypeId: Number(packType), file })
  }, [file, packType, kind, check, forget])

  const seen = isChosen ? preview.data : undefined
  const send = (sent: FileToApply, expected: number) =>
    apply.mutate(sent, {
      onSuccess: (answer) => {
        // A file that was chosen meanwhile stays chosen.
        setFile((now) => (now === sent.file ? undefined : now))
        announce(answer.message)
        const outcome = { answer, sent, expected }
        if (answer.alreadyApplied) return setBefore(outcome)
        setBefore(undefined)
        setDone(outcome)
        toastDone(answer.message)
      },
      onError: (error) => {
        toastFailed('Bulk Distribution Failed', withReasons(error), fallback)
        if (error instanceof ApiError && error.code === 'changed_meanwhile') check(sent)
      },
    })
  const sendSeen = (file: File, { fileHash, usersHash, processedCount }: PreviewResponse) =>
    send({ kind, packTypeId: Number(packType), file, fileHash, usersHash }, processedCount)
  const [ask, question] = useQuestion((read: PreviewResponse) => ({
    ...largeGrantQuestion(
      read.total,
      read.packType?.name,
      plural(read.processedCount, 'user', 'users'),
    ),
    onConfirm: () => file && sendSeen(file, read),
  }))
  const submit = () => {
    if (!file || !isChosen) {
      setProblem(missing)
      toastFailed('Bulk Distribution Failed', new Error(missing), missing)
      return
    }
    if (!seen || seen.processedCount === 0 || apply.isPending) return
    if (isLargeGrant(kind, seen.total)) ask(seen)
    else sendSeen(file, seen)
  }
  return (
    <Card>
      <CardHeader level={3} title={title} description={description} />
      <Form onSubmit={submit} noValidate className="grid grid-cols-1 gap-5">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="text-muted">
            Columns: <code className="text-ink">{columns[kind]}</code>
          </p>
          <Button icon={Download} tone="secondary" onClick={() => saveTemplate(kind)}>
            Template
          </Button>
        </div>
        {kind === 'packs' && <PackTypeSelect {...entered(packType, setPackType)} />}
        <FileDrop
          label={fileLabel}
          file={file}
          onChange={(chosen) => {
            setFile(chosen)
            if (!chosen) return
            setDone(undefined)
            setBefore(undefined)
          }}
          error={problem}
          onError={setProblem}
        />
        {preview.isPending && (
          <Loading label="Checking the file" className="grid gap-3">
            <Skeleton className="h-18 w-full" />
            <Skeleton className="h-40 w-full" />
          </Loading>
        )}
        {seen && <FilePreview preview={seen} />}
        <div>
          <Button
            icon={Send}
            type="submit"
            disabled={isChosen && (!seen || seen.processedCount === 0)}
            isPending={apply.isPending}
            pendingLabel="Distributing..."
          >
            {seen
              ? `Distribute ${amountOf(seen.total, seen.packType?.name)} to ${plural(seen.processedCount, 'user', 'users')}`
              : button}
          </Button>
        </div>
      </Form>
      {question}
      {before && (
        <AppliedBefore
          answer={before.answer}
          onOpen={() => onOpenBatch(before.answer.batchId)}
          onApplyAgain={() => send({ ...before.sent, isAgain: true }, before.expected)}
          isPending={apply.isPending}
        />
      )}
      {done && <ReceiptCard {...done} onOpen={() => onOpenBatch(done.answer.batchId)} />}
    </Card>
  )
}

// What came of a file: the numbers beside those that were shown before, and the receipt.
function ReceiptCard({
  answer,
  expected,
  sent,
  onOpen,
}: Outcome & { readonly onOpen: () => void }) {
  const { processedCount, failedCount, message, batchId } = answer
  const isExpected = processedCount === expected
  return (
    <section
      aria-label="Receipt"
      className="mt-5 grid gap-3 rounded-control border border-success bg-raised p-4"
    >
      <p className="flex items-start gap-2 font-semibold">
        <CircleCheck className="mt-0.5 size-5 flex-none text-success" />
        {message}
      </p>
      <p className="text-muted">
        {sent.file.name}: {plural(processedCount, 'row', 'rows')} applied,{' '}
        {plural(failedCount, 'row', 'rows')} skipped.{' '}
        {isExpected
          ? 'This matches the preview.'
          : `The preview showed ${plural(expected, 'row', 'rows')}: something changed in between.`}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button icon={ReceiptText} tone="secondary" onClick={onOpen}>
          Show receipt
        </Button>
        <DownloadButton href={receiptAddress(batchId)}>Download CSV</DownloadButton>
      </div>
    </section>
  )
}

interface AppliedBeforeProps {
  readonly answer: BulkResponse
  /** Shows the receipt of the first batch. */
  readonly onOpen: () => void
  readonly onApplyAgain: () => void
  readonly isPending: boolean
}

function AppliedBefore({ answer, onOpen, onApplyAgain, isPending }: AppliedBeforeProps) {
  const first = `batch ${answer.batchId.slice(0, 8)} of ${formatDateTime(answer.appliedAt ?? '')}`
  const [ask, question] = useQuestion(() => ({
    title: 'Apply again?',
    description: `This file was already applied as ${first}. Applying it again gives everything a second time.`,
    confirmLabel: 'Apply again',
    onConfirm: onApplyAgain,
  }))
  return (
    <div className="mt-5 grid gap-3">
      <Notice tone="warning" role="status">
        {answer.message} It was applied as {first}.
      </Notice>
      <div className="flex flex-wrap gap-2">
        <Button icon={ReceiptText} tone="secondary" onClick={onOpen}>
          Show receipt
        </Button>
        <Button icon={RotateCw} tone="secondary" onClick={() => ask()} isPending={isPending}>
          Apply again
        </Button>
      </div>
      {question}
    </div>
  )
}

function FilePreview({ preview }: { readonly preview: PreviewResponse }) {
  const [onlyProblems, setOnlyProblems] = useState(false)
  const [page, setPage] = useState(1)
  const rows = onlyProblems ? preview.rows.filter(({ verdict }) => verdict !== 'ok') : preview.rows
  const totalPages = Math.ceil(rows.length / batchRowsPageSize)
  const first = (page - 1) * batchRowsPageSize
  return (
    <div className="grid grid-cols-1 gap-4">
      <dl className="grid grid-cols-3 gap-3">
        <Figure term="Rows to apply">{formatNumber(preview.processedCount)}</Figure>
        <Figure term="Skipped rows">{formatNumber(preview.failedCount)}</Figure>
        <Figure term="Total">{amountOf(preview.total, preview.packType?.name)}</Figure>
      </dl>
      {preview.appliedBefore && (
        <Notice tone="warning" role="status">
          This file was already applied on {formatDateTime(preview.appliedBefore.createdAt)}.
          Sending it again within 24 hours gives nothing, unless you ask for that.
        </Notice>
      )}
      {preview.processedCount === 0 && (
        <Notice tone="danger" role="status">
          No row of this file can be applied.
        </Notice>
      )}
      {preview.failedCount > 0 && (
        <SwitchField
          label="Only rows with problems"
          hint={`${plural(preview.failedCount, 'row is', 'rows are')} skipped, the others are applied.`}
          isOn={onlyProblems}
          onChange={(isOn) => {
            setOnlyProblems(isOn)
            setPage(1)
          }}
        />
      )}
      {rows.length === 0 ? (
        <Empty title="No problems in this file" />
      ) : (
        <BatchRows
          label="Verdict for each row"
          rows={rows.slice(first, first + batchRowsPageSize)}
        />
      )}
      <Pagination
        label="Pages of rows"
        page={page}
        totalPages={totalPages}
        onPageChange={setPage}
      />
    </div>
  )
}
