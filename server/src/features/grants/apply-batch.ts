// Applying the file of a bulk grant: every good row in one transaction, once, with a receipt.

import type { Queryable } from '../../adapters/db/database.ts'
import { keyedByStaff, type OnceAnswer, once } from '../../adapters/db/once.ts'
import type { World } from '../../adapters/world.ts'
import type { JudgedRow } from '../../rules/bulk-verdict.ts'
import { invariant, Refusal } from '../../rules/refusal.ts'
import type { StaffCall } from '../../rules/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import {
  addBatchWithRows,
  batchById,
  claimFile,
  earlierUse,
  type NewBatchRow,
  rowsOfBatch,
} from './batch-tables.ts'
import { announce } from './distribute.ts'
import {
  type BulkOrder,
  hashOf,
  type JudgedFile,
  judgeFile,
  readOrder,
  useOf,
} from './judge-file.ts'
import { allowLongBatch, type Changed, changePacksOfMany, changeRedCoinOfMany } from './tables.ts'

const shown = new Intl.NumberFormat('en')
const fileNameMax = 200

/**
 * Applies a file. The very same file for the same action within 24 hours changes nothing and is
 * answered from the first result, unless that was reversed.
 * @throws Refusal invalid_input for a file that cannot be used or that has no row to apply,
 * not_found for an unknown pack type
 */
export async function applyBatch(
  world: World,
  staff: StaffCall,
  order: BulkOrder,
): Promise<OnceAnswer<BatchAnswer>> {
  const rows = readOrder(order)
  const now = world.clock.now()
  const use = useOf(order, now)
  const batchId = world.random.uuid()
  let reached: readonly number[] = []
  let isRepeated = false
  const call = keyedByStaff(staff, use.fingerprint, now)
  const answer = await once(world.db, call, async (tx) => {
    reached = []
    await allowLongBatch(tx)
    isRepeated = !(await claimFile(tx, use, batchId))
    if (isRepeated) {
      const first = await earlierUse(tx, use)
      invariant(first !== undefined, 'a file that is not free was applied before')
      return storedAnswer(tx, first.batchId)
    }
    const judged = await judgeFile(tx, order, rows, true)
    const good = judged.rows.filter(({ verdict }) => verdict === 'ok')
    if (good.length === 0) throw noGoodRow(judged.rows)
    const changed = await change(tx, order, good, batchId, now)
    reached = changed.map(({ userId }) => userId)
    await record(tx, staff, order, { judged, changed, batchId, now })
    return storedAnswer(tx, batchId)
  })
  announce(world, reached)
  return isRepeated ? { ...answer, replayed: true } : answer
}

function noGoodRow(rows: readonly JudgedRow[]): Refusal {
  return new Refusal('invalid_input', 'No row of the CSV file could be applied', {
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
    batchId,
    description: 'Bulk distribution',
    now,
  }
  return order.packTypeId === undefined
    ? changeRedCoinOfMany(tx, batch)
    : changePacksOfMany(tx, order.packTypeId, batch)
}

interface Applied {
  readonly judged: JudgedFile
  readonly changed: readonly Changed[]
  readonly batchId: string
  readonly now: Date
}

/** Writes the receipt and the audit entry. What was judged must be what was written. */
async function record(
  tx: Queryable,
  staff: StaffCall,
  order: BulkOrder,
  { judged, changed, batchId, now }: Applied,
): Promise<void> {
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
      actorId: staff.actorId,
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
  await recordStaffAction(tx, {
    actorId: staff.actorId,
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
    requestId: staff.requestId,
    now,
  })
}

type BatchAnswer = Awaited<ReturnType<typeof storedAnswer>>

/** The answer of a batch, made from its receipt, so that a repeat reads like the first. */
async function storedAnswer(tx: Queryable, batchId: string) {
  const batch = await batchById(tx, batchId)
  invariant(batch !== undefined, 'a batch that was applied has its receipt')
  const failed = await rowsOfBatch(tx, batchId, false)
  const thing = batch.packTypeName === null ? 'RedCoin' : `${batch.packTypeName} pack(s)`
  const { processedCount, failedCount, total } = batch
  const users = processedCount === 1 ? '1 user' : `${shown.format(processedCount)} users`
  return {
    success: true as const,
    message: `Distributed ${shown.format(total)} ${thing} to ${users}`,
    batchId,
    processedCount,
    failedCount,
    errors: failed.map(({ row, username, reason }) => ({ row, username, reason: reason ?? '' })),
  }
}
