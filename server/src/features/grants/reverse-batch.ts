// Reversing a batch: opposite entries, at most what is still there, once and as a batch of its
// own.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { numberText } from '../../shared/number-text.ts'
import { type Changed, changeBalances, changeHoldings } from '../ledger/bulk-tables.ts'
import {
  addBatchWithRows,
  forgetFile,
  isReversed,
  lockBatch,
  type NewBatchRow,
  rowsOfBatch,
  type StoredBatch,
} from './batch-tables.ts'
import { reachedUsers } from './distribute.ts'
import { staffReason } from './staff-reason.ts'
import { allowLongBatch } from './tables.ts'

/**
 * Takes back what a batch gave and names who has spent some of it. Its file may be applied anew.
 * @throws DomainError not_found for an unknown batch; wrong_state for a reversal and for a batch
 * that was reversed before
 */
export async function reverseBatch(
  tx: Queryable,
  { actorId, now }: Author,
  batchId: string,
  reversalId: string,
): Promise<Outcome<Reversed>> {
  await allowLongBatch(tx)
  const batch = await lockReversible(tx, batchId)
  const given = await rowsOfBatch(tx, batchId, true)
  const taken = await takeBack(tx, batch, given, reversalId, now)
  const rows = given.map((row) => reversedRow(row, taken))
  const totalTaken = -rows.reduce((sum, { applied }) => sum + applied, 0)
  const short = rows.filter(({ verdict }) => verdict !== 'ok')
  await addBatchWithRows(
    tx,
    {
      id: reversalId,
      kind: batch.kind,
      packTypeId: batch.packTypeId,
      actorId,
      recipients: batch.recipients,
      description: null,
      fileName: null,
      fileHash: null,
      reverses: batch.id,
      processedCount: rows.length - short.length,
      failedCount: short.length,
      total: -totalTaken || 0,
      now,
    },
    rows,
  )
  await forgetFile(tx, batch.id)
  const shortfall = batch.total - totalTaken
  return {
    answer: answerOf(batch, reversalId, rows, totalTaken),
    audit: {
      action: `${batch.kind}.bulk_reverse`,
      targetType: 'bulk_batch',
      targetId: batch.id,
      before: { given: batch.total, users: batch.processedCount },
      after: { taken: totalTaken, shortfall, usersShort: short.length },
      batchId: reversalId,
    },
    events: reachedUsers([...taken.keys()]),
  }
}

async function lockReversible(tx: Queryable, batchId: string): Promise<StoredBatch> {
  const batch = await lockBatch(tx, batchId)
  if (batch === undefined) throw new DomainError('not_found', 'Batch not found')
  if (batch.reverses !== null) {
    throw new DomainError('wrong_state', 'A reversal cannot be reversed')
  }
  if (await isReversed(tx, batchId)) {
    throw new DomainError('wrong_state', 'This batch has been reversed already')
  }
  return batch
}

async function takeBack(
  tx: Queryable,
  batch: StoredBatch,
  given: readonly NewBatchRow[],
  reversalId: string,
  now: Date,
): Promise<ReadonlyMap<number, Changed>> {
  const what = batch.recipients === 'file' ? 'Bulk distribution' : 'Admin distribution'
  const change = {
    userIds: given.map(({ userId }) => userId ?? 0),
    amounts: given.map(({ applied }) => -applied),
    ...staffReason(reversalId, `${what} taken back`, now),
  }
  const changed =
    batch.packTypeId === null
      ? await changeBalances(tx, change)
      : await changeHoldings(tx, batch.packTypeId, change)
  return new Map(changed.map((one) => [one.userId, one]))
}

/** A user who has left for good is not among those who were reached. */
function reversedRow(given: NewBatchRow, taken: ReadonlyMap<number, Changed>): NewBatchRow {
  const done = taken.get(given.userId ?? 0)
  const base = { ...given, amount: -given.applied, applied: done?.delta ?? 0 }
  if (done === undefined) {
    return { ...base, verdict: 'gone', reason: 'no longer there', after: null }
  }
  const missing = given.applied + done.delta
  return missing === 0
    ? { ...base, verdict: 'ok', reason: null, after: done.after }
    : {
        ...base,
        verdict: 'spent',
        reason: `${numberText(missing)} spent`,
        after: done.after,
      }
}

/** Names in an answer; the receipt has all of them. */
const spentMax = 10_000

type Reversed = ReturnType<typeof answerOf>

function answerOf(
  batch: StoredBatch,
  reversalId: string,
  rows: readonly NewBatchRow[],
  totalTaken: number,
) {
  const granted = batch.packTypeName === null ? 'RedCoin' : `${batch.packTypeName} pack(s)`
  const given = numberText(batch.total)
  const short = rows.filter(({ verdict }) => verdict !== 'ok')
  return {
    success: true as const,
    message: `Took back ${numberText(totalTaken)} of ${given} ${granted}`,
    batchId: reversalId,
    processedCount: rows.filter(({ applied }) => applied !== 0).length,
    totalTaken,
    shortfall: batch.total - totalTaken,
    spentCount: short.length,
    spent: short.slice(0, spentMax).map(({ userId, username, amount, applied }) => ({
      userId,
      username,
      given: -(amount ?? 0),
      taken: -applied || 0,
    })),
  }
}
