// The SQL of bulk batches: who is meant by a file, the receipt, and which file was applied when.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { BulkKind } from '../../rules/bulk-file.ts'

export interface NamedUser {
  readonly id: number
  readonly username: string
  readonly displayName: string
  readonly balance: number
}

const named = `SELECT id, username, display_name AS "displayName", red_coin_balance AS balance
  FROM users WHERE username = ANY($1::text[]) AND deleted_at IS NULL ORDER BY id`
const findNamed = statement('find_users_of_file', named)
const lockNamed = statement('lock_users_of_file', `${named} FOR NO KEY UPDATE`)

/**
 * Users who carry one of the names exactly; with `lock` their rows stay as they are until the
 * transaction ends.
 */
export function usersNamed(
  tx: Queryable,
  names: readonly string[],
  lock: boolean,
): Promise<NamedUser[]> {
  return tx.run<NamedUser>(lock ? lockNamed : findNamed, [names])
}

const findHoldings = statement(
  'find_holdings_of_many',
  `SELECT user_id AS "userId", quantity FROM user_packs
   WHERE pack_type_id = $2 AND user_id = ANY($1::int[])`,
)

/** How many packs of a type the users hold; nobody without a holding is in the answer. */
export async function holdingsOf(
  tx: Queryable,
  userIds: readonly number[],
  packTypeId: number,
): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.run<{ userId: number; quantity: number }>(findHoldings, [
    userIds,
    packTypeId,
  ])
  return new Map(rows.map(({ userId, quantity }) => [userId, quantity]))
}

const findFormer = statement(
  'find_former_names',
  `SELECT DISTINCT ON (f.username) f.username AS "formerName", u.id, u.username,
     u.display_name AS "displayName"
   FROM former_usernames f JOIN users u ON u.id = f.user_id AND u.deleted_at IS NULL
   WHERE f.username = ANY($1::text[]) ORDER BY f.username, f.until DESC, f.id DESC`,
)

export interface FormerName {
  readonly formerName: string
  readonly id: number
  readonly username: string
  readonly displayName: string
}

/** Who carried each of the names last, when it was somebody else's once. */
export function formerNames(tx: Queryable, names: readonly string[]): Promise<FormerName[]> {
  return tx.run<FormerName>(findFormer, [names])
}

export interface FileUse {
  /** SHA-256 over the action and the file. */
  readonly fingerprint: string
  readonly now: Date
  /** A use before this moment no longer counts. */
  readonly since: Date
}

export interface EarlierUse {
  readonly batchId: string
  readonly appliedAt: Date
}

const findUse = statement(
  'find_bulk_file',
  `SELECT batch_id AS "batchId", applied_at AS "appliedAt" FROM bulk_files
   WHERE fingerprint = $1 AND applied_at > $2`,
)
const claimUse = statement(
  'claim_bulk_file',
  `INSERT INTO bulk_files (fingerprint, batch_id, applied_at) VALUES ($1, $2, $3)
   ON CONFLICT (fingerprint) DO UPDATE SET batch_id = EXCLUDED.batch_id, applied_at = $3
     WHERE bulk_files.applied_at <= $4
   RETURNING fingerprint`,
)
const forgetUse = statement('forget_bulk_file', 'DELETE FROM bulk_files WHERE batch_id = $1')

export async function earlierUse(tx: Queryable, use: FileUse): Promise<EarlierUse | undefined> {
  return (await tx.run<EarlierUse>(findUse, [use.fingerprint, use.since]))[0]
}

/**
 * Marks the file as applied by the batch; waits for whoever is applying it now. False when it
 * counts as applied already.
 */
export async function claimFile(tx: Queryable, use: FileUse, batchId: string): Promise<boolean> {
  const { fingerprint, now, since } = use
  return (await tx.run(claimUse, [fingerprint, batchId, now, since])).length === 1
}

/** Lets the file of a batch be applied anew. */
export async function forgetFile(tx: Queryable, batchId: string): Promise<void> {
  await tx.run(forgetUse, [batchId])
}

/** Whom a batch reached: the rows of a file, users by name, or everyone. */
export type BatchRecipients = 'file' | 'named' | 'everyone'

export interface NewBatch {
  readonly id: string
  readonly kind: BulkKind
  readonly packTypeId: number | null
  readonly actorId: number
  readonly recipients: BatchRecipients
  /** What staff said about a grant; null for a file, a reversal and a grant without a word. */
  readonly description: string | null
  readonly fileName: string | null
  readonly fileHash: string | null
  readonly reverses: string | null
  readonly processedCount: number
  readonly failedCount: number
  readonly total: number
  readonly now: Date
}

export interface NewBatchRow {
  readonly row: number
  readonly username: string
  readonly userId: number | null
  readonly verdict: string
  readonly reason: string | null
  readonly amount: number | null
  readonly applied: number
  readonly after: number | null
}

const addBatch = statement(
  'add_bulk_batch',
  `INSERT INTO bulk_batches (id, kind, pack_type_id, actor_id, recipients, description, file_name,
     file_hash, reverses, processed_count, failed_count, total, created_at)
   VALUES (:id, :kind, :packTypeId, :actorId, :recipients, :description, :fileName, :fileHash,
     :reverses, :processedCount, :failedCount, :total, :now)`,
)
const addRows = statement(
  'add_bulk_batch_rows',
  `INSERT INTO bulk_batch_rows (batch_id, row_number, username, user_id, verdict, reason, amount,
     applied, after)
   SELECT $1, r."row", r.username, r."userId", r.verdict, r.reason, r.amount, r.applied, r.after
   FROM jsonb_to_recordset($2::jsonb) AS r ("row" integer, username text, "userId" integer,
     verdict text, reason text, amount bigint, applied bigint, after bigint)
   ORDER BY r."row"`,
)

/** Receipt rows that one statement carries as text. */
const rowsAtOnceMax = 10_000

/** Writes a batch with its receipt. */
export async function addBatchWithRows(
  tx: Queryable,
  batch: NewBatch,
  rows: readonly NewBatchRow[],
): Promise<void> {
  await tx.run(addBatch, {
    id: batch.id,
    kind: batch.kind,
    packTypeId: batch.packTypeId,
    actorId: batch.actorId,
    recipients: batch.recipients,
    description: batch.description,
    fileName: batch.fileName,
    fileHash: batch.fileHash,
    reverses: batch.reverses,
    processedCount: batch.processedCount,
    failedCount: batch.failedCount,
    total: batch.total,
    now: batch.now,
  })
  for (let done = 0; done < rows.length; done += rowsAtOnceMax) {
    const part = rows.slice(done, done + rowsAtOnceMax)
    await tx.run(addRows, [batch.id, JSON.stringify(part)])
  }
}

const addGranted = statement(
  'add_granted_batch_rows',
  `INSERT INTO bulk_batch_rows (batch_id, row_number, username, user_id, verdict, amount, applied,
     after)
   SELECT $1, w.place, u.username, u.id, 'ok', w.applied, w.applied, w.after
   FROM unnest($2::int[], $3::int[], $4::bigint[], $5::bigint[])
     AS w (place, user_id, applied, after)
   JOIN users u ON u.id = w.user_id ORDER BY w.place`,
)

export interface GrantedRow {
  readonly row: number
  readonly userId: number
  /** What was given. */
  readonly delta: number
  readonly after: number
}

/** Writes receipt rows of a grant that reached each user; everyone may be among them. */
export async function addGrantedRows(
  tx: Queryable,
  batchId: string,
  rows: readonly GrantedRow[],
): Promise<void> {
  const column = (key: keyof GrantedRow) => rows.map((row) => row[key])
  const values = [column('row'), column('userId'), column('delta'), column('after')]
  await tx.run(addGranted, [batchId, ...values])
}

export interface StoredBatch {
  readonly id: string
  readonly kind: BulkKind
  readonly packTypeId: number | null
  readonly packTypeName: string | null
  readonly recipients: BatchRecipients
  readonly reverses: string | null
  readonly processedCount: number
  readonly failedCount: number
  readonly total: number
}

const readBatch = `SELECT b.id, b.kind, b.pack_type_id AS "packTypeId", p.name AS "packTypeName",
    b.recipients, b.reverses, b.processed_count AS "processedCount",
    b.failed_count AS "failedCount", b.total
  FROM bulk_batches b LEFT JOIN pack_types p ON p.id = b.pack_type_id WHERE b.id = $1`
const findBatch = statement('find_bulk_batch', readBatch)
const lockOneBatch = statement('lock_bulk_batch', `${readBatch} FOR UPDATE OF b`)
const findReversal = statement(
  'find_bulk_reversal',
  'SELECT 1 AS found FROM bulk_batches WHERE reverses = $1',
)
const readRows = statement(
  'read_bulk_batch_rows',
  `SELECT row_number AS "row", username, user_id AS "userId", verdict, reason, amount, applied,
     after
   FROM bulk_batch_rows WHERE batch_id = $1 AND (verdict = 'ok') = $2 ORDER BY row_number`,
)

export async function batchById(tx: Queryable, id: string): Promise<StoredBatch | undefined> {
  return (await tx.run<StoredBatch>(findBatch, [id]))[0]
}

/** The batch, which nobody else reverses until the transaction ends. */
export async function lockBatch(tx: Queryable, id: string): Promise<StoredBatch | undefined> {
  return (await tx.run<StoredBatch>(lockOneBatch, [id]))[0]
}

export async function isReversed(tx: Queryable, id: string): Promise<boolean> {
  return (await tx.run(findReversal, [id])).length > 0
}

/** Rows of a batch in their order: those that were applied as they stand, or all others. */
export function rowsOfBatch(tx: Queryable, id: string, applied: boolean): Promise<NewBatchRow[]> {
  return tx.run<NewBatchRow>(readRows, [id, applied])
}
