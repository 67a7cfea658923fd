// What applying a file would do: totals, and every row with its verdict.

import type { PreviewResponse } from '@redpack/contract'
import { useState } from 'react'
import { formatDateTime, formatNumber, formatRedCoin, plural } from '../../lib/format.ts'
import { Empty } from '../../ui/feedback/empty.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { SwitchField } from '../../ui/form/toggle-fields.tsx'
import { Pagination } from '../../ui/table/pagination.tsx'
import { BatchRows } from './batch-rows.tsx'
import { batchRowsPageSize } from './queries.ts'

/** '12 Gold pack(s)' or '1,200 RedCoin'. */
export function amountOf(total: number, packTypeName: string | undefined): string {
  return packTypeName === undefined
    ? formatRedCoin(total)
    : `${formatNumber(total)} ${packTypeName} pack(s)`
}

export function FilePreview({ preview }: { readonly preview: PreviewResponse }) {
  const [onlyProblems, setOnlyProblems] = useState(false)
  const [page, setPage] = useState(1)
  const rows = onlyProblems ? preview.rows.filter(({ verdict }) => verdict !== 'ok') : preview.rows
  const totalPages = Math.ceil(rows.length / batchRowsPageSize)
  const first = (page - 1) * batchRowsPageSize
  return (
    <div className="grid grid-cols-1 gap-4">
      <dl className="grid grid-cols-3 gap-3">
        <Figure term="Rows to apply" value={formatNumber(preview.processedCount)} />
        <Figure term="Rows left out" value={formatNumber(preview.failedCount)} />
        <Figure term="In all" value={amountOf(preview.total, preview.packType?.name)} />
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
          hint={`${plural(preview.failedCount, 'row is', 'rows are')} left out, the others are applied.`}
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

function Figure({ term, value }: { readonly term: string; readonly value: string }) {
  return (
    <div className="min-w-0 rounded-control border border-line bg-raised p-3">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="break-words font-display font-semibold tabular-nums">{value}</dd>
    </div>
  )
}
