// Bulk grants by file: read, judged against the database, looked at, applied once; and batches
// reversed.

import {
  adminBatchesContract as contract,
  adminGrantsContract as grants,
  sliceCharacters,
} from '@redpack/contract'
import { bulkRepeatHours, integerMax, redCoinMax } from '@redpack/contract/limits'
import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { command } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import type { UploadedFile } from '../../adapters/http/multipart.ts'
import { sha256Hex } from '../../adapters/random/hashing.ts'
import {
  type BulkKind,
  type BulkRow,
  type Carrier,
  isCsvFile,
  type JudgedRow,
  judgeRows,
  readBulkFile,
} from '../../rules/bulk-file.ts'
import { DomainError, existing, invariant } from '../../shared/domain-error.ts'
import { grouped } from '../../shared/grouped.ts'
import { numberText } from '../../shared/number-text.ts'
import { targetOf } from '../../shared/staff-call.ts'
import type { Changed } from '../ledger/ledger-tables.ts'
import {
  changeMany,
  grantedPackType,
  grantedWords,
  reachedUsers,
  staffReason,
} from './distribute.ts'
import {
  addBatchWithRows,
  allowLongBatch,
  appliedRows,
  batchById,
  claimFile,
  type EarlierUse,
  earlierUse,
  type FileUse,
  findNamed,
  forgetFile,
  formerNames,
  holdFile,
  holdingsOf,
  isReversed,
  lockBatch,
  lockNamed,
  type NewBatchRow,
  rowOfLeaver,
  type StoredBatch,
  totalOf,
} from './tables.ts'

const fileNameMax = 200

function fileOf({ name, type, bytes }: UploadedFile) {
  return { fileName: sliceCharacters(name, -fileNameMax), contentType: type, bytes }
}

export function registerBatches(context: FeatureContext): void {
  const { app, deps, guards } = context
  const { random } = deps
  serve(app, guards, contract.preview, ({ body: { kind, packTypeId: given }, file }) => {
    const packTypeId = kind === 'packs' ? given : undefined
    return previewBatch(deps, { kind, packTypeId, ...fileOf(file) })
  })
  // A repeated call is known by its file; asking once more is another call.
  const applied = {
    input: (order: BulkOrder) => fingerprintOf(order) + (order.isAgain === true ? ':again' : ''),
    prepare: async (order: BulkOrder) => readOrder(order),
    run: (tx: Queryable, by: Author, order: BulkOrder, rows: readonly BulkRow[]) =>
      applyBatch(tx, by, order, rows, random.uuidInOrder()),
  }
  command(context, grants.bulkPacks, {
    order: ({ body: { packTypeId, applyAgain, usersHash }, file }): BulkOrder => {
      return { kind: 'packs', packTypeId, isAgain: applyAgain, usersHash, ...fileOf(file) }
    },
    ...applied,
  })
  command(context, grants.bulkRedCoin, {
    order: ({ body: { applyAgain, usersHash }, file }): BulkOrder => {
      const whole = { isAgain: applyAgain, usersHash, ...fileOf(file) }
      return { kind: 'redcoin', packTypeId: undefined, ...whole }
    },
    ...applied,
  })
  command(context, contract.reverse, {
    order: ({ params }) => params.id,
    prepare: async (id, { actor }) => {
      const batch = await batchById(deps.db, id)
      // Taking it back takes from everybody at once.
      if (batch?.recipients === 'everyone') await guards.requireForEverybody(actor)
    },
    run: (tx, by, id) => reverseBatch(tx, by, id, random.uuidInOrder()),
  })
}

/** A file and what it is to give. */
export interface BulkOrder {
  readonly kind: BulkKind
  /** Packs of this type; undefined for RedCoin. */
  readonly packTypeId: number | undefined
  /** The last 200 characters of it. */
  readonly fileName: string
  /** As the sender claims. */
  readonly contentType: string
  readonly bytes: Uint8Array
  /** Grants it also when it was applied within the day. */
  readonly isAgain?: boolean | undefined
  /** Whom the file reached when it was looked at. */
  readonly usersHash?: string | undefined
}

interface JudgedFile {
  readonly packType: { readonly id: number; readonly name: string } | null
  readonly rows: readonly JudgedRow[]
}

/** The action and the file under one name, whoever sends it. */
export function fingerprintOf(order: BulkOrder): string {
  return sha256Hex(`${order.kind}:${order.packTypeId ?? ''}:${sha256Hex(order.bytes)}`)
}

/** The same file counts once a day for each action. */
function useOf(order: BulkOrder, now: Date): FileUse {
  const since = new Date(now.getTime() - bulkRepeatHours * 3_600_000)
  return { fingerprint: fingerprintOf(order), now, since }
}

/** The rows of the file. @throws DomainError invalid_input for what is no such CSV file */
export function readOrder(order: BulkOrder): BulkRow[] {
  if (!isCsvFile(order.fileName, order.contentType)) {
    throw new DomainError('invalid_input', 'Only CSV files are allowed')
  }
  return readBulkFile(order.bytes, order.kind)
}

/**
 * A verdict for every row. With `lock` users and pack type stay as they were judged until the
 * transaction ends; whatever changes a holding locks its user first.
 * @throws DomainError not_found for a pack type that cannot be granted
 */
async function judgeFile(
  tx: Queryable,
  order: BulkOrder,
  rows: readonly BulkRow[],
  lock: boolean,
): Promise<JudgedFile> {
  const { packTypeId } = order
  const packType = await grantedPackType(tx, packTypeId, lock)
  const names = [...new Set(rows.map(({ username }) => username))]
  const users = await (lock ? lockNamed : findNamed)(tx, names)
  const held =
    packTypeId === undefined
      ? undefined
      : await holdingsOf(
          tx,
          users.map(({ id }) => id),
          packTypeId,
        )
  const carriers = users.map(({ balance, ...user }): Carrier => {
    return { ...user, has: held === undefined ? balance : (held.get(user.id) ?? 0) }
  })
  const byName = grouped(carriers, ({ username }) => username)
  const lost = names.filter((name) => !byName.has(name))
  const former = lost.length === 0 ? [] : await formerNames(tx, lost)
  return {
    packType,
    rows: judgeRows(rows, {
      carriers: byName,
      former: new Map(former.map(({ formerName, ...user }) => [formerName, user])),
      max: packTypeId === undefined ? redCoinMax : integerMax,
    }),
  }
}

/** Names may change owner between a look at the file and applying it. */
function usersHashOf(rows: readonly JudgedRow[]): string {
  return sha256Hex(rows.map(({ verdict, userId }) => (verdict === 'ok' ? userId : '')).join())
}

/**
 * What applying the file now would do; writes nothing and holds no lock.
 * @throws DomainError as applying it does, but not for a file without a good row
 */
async function previewBatch(deps: Deps, order: BulkOrder) {
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
    fileHash: sha256Hex(order.bytes),
    usersHash: usersHashOf(judged.rows),
    processedCount: good.length,
    failedCount: previewRows.length - good.length,
    total: totalOf(good.map(({ applied }) => applied)),
    rows: previewRows,
    appliedBefore:
      before === undefined
        ? null
        : { batchId: before.batchId, createdAt: before.appliedAt.toISOString() },
  }
}

/**
 * Applies a file that was read. The very same file for the same action within 24 hours changes
 * nothing and says so, unless every batch of it was reversed or the order asks for it again.
 * @throws DomainError invalid_input for a file that cannot be used or that has no row to apply,
 * not_found for an unknown pack type, changed_meanwhile if it reaches others than it did when it
 * was looked at
 */
export async function applyBatch(
  tx: Queryable,
  { actorId, now }: Author,
  order: BulkOrder,
  rows: readonly BulkRow[],
  batchId: string,
) {
  const use = useOf(order, now)
  await allowLongBatch(tx)
  const free = order.isAgain === true ? { ...use, since: now } : use
  if (!(await claimFile(tx, { ...free, batchId }))) {
    const first = await earlierUse(tx, use)
    invariant(first !== undefined, 'a file that is not free was applied before')
    return { answer: appliedBefore(first), isRepeat: true }
  }
  const judged = await judgeFile(tx, order, rows, true)
  if (order.usersHash !== undefined && order.usersHash !== usersHashOf(judged.rows)) {
    const message = 'Users in this file have changed since it was checked. Check it again.'
    throw new DomainError('changed_meanwhile', message)
  }
  const good = judged.rows.filter(({ verdict }) => verdict === 'ok')
  if (good.length === 0) throw noGoodRow(judged.rows)
  const changed = await changeMany(tx, order.packTypeId, {
    userIds: good.map(({ userId }) => userId ?? 0),
    amounts: good.map(({ amount }) => amount ?? 0),
    ...staffReason(batchId, 'Bulk distribution', now),
  })
  const { kind, packTypeId = null } = order
  const fileName = order.fileName.replaceAll('\0', '') || 'unnamed.csv'
  const file = { recipients: 'file', fileName, fileHash: sha256Hex(order.bytes) } as const
  const batch = { id: batchId, kind, packTypeId, actorId, ...file, now }
  await addBatchWithRows(tx, batch, receiptOf(judged, changed))
  const total = changed.reduce((sum, { delta }) => sum + delta, 0)
  const failed = judged.rows.filter(({ verdict }) => verdict !== 'ok')
  return {
    answer: appliedNow(batchId, judged.packType?.name, { total, users: changed.length }, failed),
    audit: {
      action: `${kind}.bulk_distribute`,
      ...targetOf('bulk_batch', batchId),
      after: {
        fileName,
        packTypeId,
        users: changed.length,
        failedRows: failed.length,
        changed: total,
      },
      batchId,
    },
    events: reachedUsers(changed.map(({ userId }) => userId)),
  } satisfies Outcome<unknown>
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

/** The rows as they were applied. What was judged must be what was written. */
function receiptOf(judged: JudgedFile, changed: readonly Changed[]): NewBatchRow[] {
  const byUser = new Map(changed.map((one) => [one.userId, one]))
  return judged.rows.map(({ displayName: _, ...row }) => {
    const done = row.verdict === 'ok' && row.userId !== null ? byUser.get(row.userId) : undefined
    invariant(
      row.verdict !== 'ok' || (done?.delta === row.amount && done?.after === row.after),
      'a row is applied as it was judged',
    )
    return { ...row, applied: done?.delta ?? 0, after: done?.after ?? null }
  })
}

function appliedNow(
  batchId: string,
  packName: string | undefined,
  { total, users }: { readonly total: number; readonly users: number },
  failed: readonly JudgedRow[],
) {
  const whom = users === 1 ? '1 user' : `${numberText(users)} users`
  return {
    success: true as const,
    message: `Distributed ${numberText(total)} ${grantedWords(packName)} to ${whom}`,
    batchId,
    processedCount: users,
    failedCount: failed.length,
    errors: failed.map(({ row, username, reason }) => ({ row, username, reason: reason ?? '' })),
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
  const given = await appliedRows(tx, batchId)
  const taken = await takeBack(tx, batch, given, reversalId, now)
  const rows = given.map((row) => reversedRow(row, taken))
  const totalTaken = rows.reduce((sum, { applied }) => sum - applied, 0)
  const short = rows.filter(({ verdict }) => verdict !== 'ok')
  await addBatchWithRows(
    tx,
    {
      id: reversalId,
      kind: batch.kind,
      packTypeId: batch.packTypeId,
      actorId,
      recipients: batch.recipients,
      reverses: batch.id,
      now,
    },
    rows,
  )
  // After the reversal is written: this batch stands no longer.
  await forgetFile(tx, batch.id)
  const shortfall = batch.total - totalTaken
  return {
    answer: answerOf(batch, reversalId, rows, totalTaken),
    audit: {
      action: `${batch.kind}.bulk_reverse`,
      ...targetOf('bulk_batch', batch.id),
      before: { given: batch.total, users: batch.processedCount },
      after: { taken: totalTaken, shortfall, usersShort: short.length },
      batchId: reversalId,
    },
    events: reachedUsers([...taken.keys()]),
  }
}

async function lockReversible(tx: Queryable, batchId: string): Promise<StoredBatch> {
  const batch = existing(await lockBatch(tx, batchId), 'Batch not found')
  if (batch.reverses !== null) {
    throw new DomainError('wrong_state', 'A reversal cannot be reversed')
  }
  if (await isReversed(tx, batchId)) {
    throw new DomainError('wrong_state', 'This batch has been reversed already')
  }
  await holdFile(tx, batchId)
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
  const changed = await changeMany(tx, batch.packTypeId, change)
  return new Map(changed.map((one) => [one.userId, one]))
}

/** A user who has left for good is not among those who were reached. */
function reversedRow(given: NewBatchRow, taken: ReadonlyMap<number, Changed>): NewBatchRow {
  const userId = given.userId ?? 0
  const done = taken.get(userId)
  const base = { ...given, amount: -given.applied, applied: done?.delta ?? 0 }
  if (done === undefined) {
    const left = rowOfLeaver(userId)
    return { ...base, ...left, verdict: 'gone', reason: 'no longer there', after: null }
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
  const granted = grantedWords(batch.packTypeName)
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
