// Applying the file of a bulk grant: every good row in one transaction, once, with a receipt.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { BulkRow, JudgedRow } from '../../rules/bulk-file.ts'
import { DomainError, invariant } from '../../shared/domain-error.ts'
import { numberText } from '../../shared/number-text.ts'
import { type Changed, changeBalances, changeHoldings } from '../ledger/bulk-tables.ts'
import {
  addBatchWithRows,
  batchById,
  claimFile,
  type EarlierUse,
  earlierUse,
  type NewBatchRow,
  rowsOfBatch,
} from './batch-tables.ts'
import { reachedUsers } from './distribute.ts'
import { type BulkOrder, hashOf, type JudgedFile, judgeFile, useOf } from './judge-file.ts'
import { staffReason } from './staff-reason.ts'
import { allowLongBatch } from './tables.ts'

const fileNameMax = 200

/**
 * Applies a file that was read. The very same file for the same action within 24 hours changes
 * nothing and says so, unless the first batch was reversed or the order asks for it again.
 * @throws DomainError invalid_input for a file that cannot be used or that has no row to apply,
 * not_found for an unknown pack type
 */
export async function applyBatch(
  tx: Queryable,
  by: Author,
  order: BulkOrder,
  rows: readonly BulkRow[],
  batchId: string,
): Promise<Outcome<BatchAnswer>> {
  const use = useOf(order, by.now)
  await allowLongBatch(tx)
  const free = order.isAgain === true ? { ...use, since: by.now } : use
  if (!(await claimFile(tx, free, batchId))) {
    const first = await earlierUse(tx, use)
    invariant(first !== undefined, 'a file that is not free was applied before')
    return { answer: appliedBefore(first), isRepeat: true }
  }
  const judged = await judgeFile(tx, order, rows, true)
  const good = judged.rows.filter(({ verdict }) => verdict === 'ok')
  if (good.length === 0) throw noGoodRow(judged.rows)
  const changed = await change(tx, order, good, batchId, by.now)
  const audit = await record(tx, by, order, { judged, changed, batchId })
  const events = reachedUsers(changed.map(({ userId }) => userId))
  return { answer: await storedAnswer(tx, batchId), audit, events }
}

function noGoodRow(rows: readonly JudgedRow[]): DomainError {
  return new DomainError('invalid_input', 'No row of the CSV file could be applied', {
    errors: rows.map(({ row, username, reason }) => ({
      path: `row ${row}`,
      message: reason ?? '',
      row,
      username,
      reason: reason ?? '',
    })),
  })
}

function change(
  tx: Queryable,
  order: BulkOrder,
  good: readonly JudgedRow[],
  batchId: string,
  now: Date,
): Promise<Changed[]> {
  const batch = {
    userIds: good.map(({ userId }) => userId ?? 0),
    amounts: good.map(({ amount }) => amount ?? 0),
    ...staffReason(batchId, 'Bulk distribution', now),
  }
  return order.packTypeId === undefined
    ? changeBalances(tx, batch)
    : changeHoldings(tx, order.packTypeId, batch)
}

interface Applied {
  readonly judged: JudgedFile
  readonly changed: readonly Changed[]
  readonly batchId: string
}

/** Writes the receipt and answers the audit entry. What was judged must be what was written. */
async function record(
  tx: Queryable,
  { actorId, now }: Author,
  order: BulkOrder,
  { judged, changed, batchId }: Applied,
): Promise<Outcome<BatchAnswer>['audit']> {
  const byUser = new Map(changed.map((one) => [one.userId, one]))
  const rows = judged.rows.map(({ displayName: _, ...row }): NewBatchRow => {
    const done = row.verdict === 'ok' && row.userId !== null ? byUser.get(row.userId) : undefined
    invariant(
      row.verdict !== 'ok' || (done?.delta === row.amount && done?.after === row.after),
      'a row is applied as it was judged',
    )
    return { ...row, applied: done?.delta ?? 0, after: done?.after ?? null }
  })
  const total = changed.reduce((sum, { delta }) => sum + delta, 0)
  const failedCount = rows.length - changed.length
  const fileName = order.fileName.replaceAll('\0', '').slice(-fileNameMax) || 'unnamed.csv'
  await addBatchWithRows(
    tx,
    {
      id: batchId,
      kind: order.kind,
      packTypeId: order.packTypeId ?? null,
      actorId,
      recipients: 'file',
      description: null,
      fileName,
      fileHash: hashOf(order.bytes),
      reverses: null,
      processedCount: changed.length,
      failedCount,
      total,
      now,
    },
    rows,
  )
  return {
    action: `${order.kind}.bulk_distribute`,
    targetType: 'bulk_batch',
    targetId: batchId,
    after: {
      fileName,
      packTypeId: order.packTypeId ?? null,
      users: changed.length,
      failedRows: failedCount,
      changed: total,
    },
    batchId,
  }
}

function appliedBefore({ batchId, appliedAt }: EarlierUse) {
  return {
    success: true as const,
    message: 'This file was already applied. Nothing was given.',
    batchId,
    processedCount: 0,
    failedCount: 0,
    alreadyApplied: true as const,
    appliedAt: appliedAt.toISOString(),
    errors: [],
  }
}

type BatchAnswer = Awaited<ReturnType<typeof storedAnswer>> | ReturnType<typeof appliedBefore>

/** The answer of a batch, made from its receipt. */
async function storedAnswer(tx: Queryable, batchId: string) {
  const batch = await batchById(tx, batchId)
  invariant(batch !== undefined, 'a batch that was applied has its receipt')
  const failed = await rowsOfBatch(tx, batchId, false)
  const granted = batch.packTypeName === null ? 'RedCoin' : `${batch.packTypeName} pack(s)`
  const { processedCount, failedCount, total } = batch
  const users = processedCount === 1 ? '1 user' : `${numberText(processedCount)} users`
  return {
    success: true as const,
    message: `Distributed ${numberText(total)} ${granted} to ${users}`,
    batchId,
    processedCount,
    failedCount,
    errors: failed.map(({ row, username, reason }) => ({ row, username, reason: reason ?? '' })),
  }
}
