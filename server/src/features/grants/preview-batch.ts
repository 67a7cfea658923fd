// Looking at the file of a bulk grant before it is applied: the same reading, the same verdicts.

import type { Deps } from '../../adapters/deps.ts'
import type { BulkKind, JudgedRow } from '../../rules/bulk-file.ts'
import { earlierUse } from './batch-tables.ts'
import { type BulkOrder, hashOf, judgeFile, readOrder, useOf } from './judge-file.ts'

export interface BatchPreview {
  readonly kind: BulkKind
  readonly packType: { readonly id: number; readonly name: string } | null
  readonly fileName: string
  readonly fileHash: string
  readonly processedCount: number
  readonly failedCount: number
  readonly total: number
  readonly rows: (JudgedRow & { readonly applied: number })[]
  readonly appliedBefore: { readonly batchId: string; readonly createdAt: string } | null
}

/**
 * What applying the file now would do; writes nothing and holds no lock.
 * @throws DomainError as applying it does, but not for a file without a good row
 */
export async function previewBatch(deps: Deps, order: BulkOrder): Promise<BatchPreview> {
  const rows = readOrder(order)
  const judged = await judgeFile(deps.db, order, rows, false)
  const before = await earlierUse(deps.db, useOf(order, deps.clock.now()))
  const previewRows = judged.rows.map((row) => ({
    ...row,
    applied: row.verdict === 'ok' ? (row.amount ?? 0) : 0,
  }))
  const good = previewRows.filter(({ verdict }) => verdict === 'ok')
  return {
    kind: order.kind,
    packType: judged.packType,
    fileName: order.fileName,
    fileHash: hashOf(order.bytes),
    processedCount: good.length,
    failedCount: previewRows.length - good.length,
    total: good.reduce((sum, { applied }) => sum + applied, 0),
    rows: previewRows,
    appliedBefore:
      before === undefined
        ? null
        : { batchId: before.batchId, createdAt: before.appliedAt.toISOString() },
  }
}
