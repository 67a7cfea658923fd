// The SQL of grants: whom they reach, what can be granted, receipts, and which file was applied
// when.

import type { Batch, BatchRow } from '@redpack/contract'
import { redCoinMax } from '@redpack/contract/limits'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { existsQuery, rowQuery, rowsQuery, writeQuery } from '../../adapters/db/queries.ts'
import type { BulkKind } from '../../rules/bulk-file.ts'
import { DomainError } from '../../shared/domain-error.ts'

const statementMillisMax = 120_000

/** Lets the statements of this transaction run for two minutes: a batch may reach every user. */
export async function allowLongBatch(tx: Queryable): Promise<void> {
  await tx.allow(statementMillisMax)
}

export interface Recipient {
  readonly id: number
  readonly username: string
}

export const recipientById = rowQuery<Recipient, [userId: number]>(
  'find_recipient_by_id',
  'SELECT id, username FROM users WHERE id = $1 AND deleted_at IS NULL',
)

/** Users whose username matches exactly; a name that several users carry is there several times. */
export const recipientsByName = rowsQuery<Recipient, [names: readonly string[]]>(
  'find_recipients_by_name',
  'SELECT id, username FROM users WHERE username = ANY($1::text[]) AND deleted_at IS NULL',
)

/** Every user but the protected account. */
export const allRecipients = rowsQuery<Recipient>(
  'find_all_recipients',
  'SELECT id, username FROM users WHERE NOT is_protected AND deleted_at IS NULL ORDER BY id',
)

const grantable = 'SELECT id, name FROM pack_types WHERE id = $1 AND archived_at IS NULL'

/** A pack type that can be granted. */
export const findPackType = rowQuery<{ id: number; name: string }, [id: number]>(
  'find_pack_type_to_grant',
  grantable,
)

/** It is not deleted before the transaction ends: nobody is left with packs that cannot be seen. */
export const holdPackType = rowQuery<{ id: number; name: string }, [id: number]>(
  'hold_pack_type_to_grant',
  `${grantable} FOR KEY SHARE`,
)

export interface NamedUser {
  readonly id: number
  readonly username: string
  readonly displayName: string
  readonly balance: number
}

const named = `SELECT id, username, display_name AS "displayName", red_coin_balance AS balance
  FROM users WHERE username = ANY($1::text[]) AND deleted_at IS NULL ORDER BY id`

/** Users who carry one of the names exactly. */
export const findNamed = rowsQuery<NamedUser, [names: readonly string[]]>(
  'find_users_of_file',
  named,
)

/** The same, whose rows stay as they are until the transaction ends. */
export const lockNamed = rowsQuery<NamedUser, [names: readonly string[]]>(
  'lock_users_of_file',
  `${named} FOR NO KEY UPDATE`,
)

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

export interface FormerName extends Omit<NamedUser, 'balance'> {
  readonly formerName: string
}

/** Who carried each of the names last, when it was somebody else's once. */
export const formerNames = rowsQuery<FormerName, [names: readonly string[]]>(
  'find_former_names',
  `SELECT DISTINCT ON (f.username) f.username AS "formerName", u.id, u.username,
     u.display_name AS "displayName"
   FROM former_usernames f JOIN users u ON u.id = f.user_id AND u.deleted_at IS NULL
   WHERE f.username = ANY($1::text[]) ORDER BY f.username, f.until DESC, f.id DESC`,
)

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

export const earlierUse = rowQuery<EarlierUse, [use: Omit<FileUse, 'now'>]>(
  'find_bulk_file',
  `SELECT batch_id AS "batchId", applied_at AS "appliedAt" FROM bulk_files
   WHERE fingerprint = :fingerprint AND applied_at > :since`,
)

/**
 * Marks the file as applied by the batch; waits for whoever is applying it now. False when it
 * counts as applied already.
 */
export const claimFile = existsQuery<[use: FileUse & { batchId: string }]>(
  'claim_bulk_file',
  `INSERT INTO bulk_files (fingerprint, batch_id, applied_at) VALUES (:fingerprint, :batchId, :now)
   ON CONFLICT (fingerprint) DO UPDATE SET batch_id = EXCLUDED.batch_id,
     applied_at = EXCLUDED.applied_at
     WHERE bulk_files.applied_at <= :since
   RETURNING fingerprint`,
)

/** Waits for whoever applies the batch's file again, who goes on to the users. */
export const holdFile = writeQuery<[batchId: string]>(
  'hold_bulk_file',
  'SELECT FROM bulk_files WHERE batch_id = $1 FOR UPDATE',
)

/** Lets the file of a reversed batch be applied anew, unless another batch of it still stands. */
export const forgetFile = writeQuery<[batchId: string]>(
  'forget_bulk_file',
  `WITH standing AS (
     SELECT t.id, t.created_at FROM bulk_batches b
     JOIN bulk_batches t ON t.file_hash = b.file_hash AND t.kind = b.kind
       AND t.pack_type_id IS NOT DISTINCT FROM b.pack_type_id
     WHERE b.id = $1 AND NOT EXISTS (SELECT FROM bulk_batches r WHERE r.reverses = t.id)
     ORDER BY t.created_at DESC LIMIT 1
   ), kept AS (
     UPDATE bulk_files f SET batch_id = s.id, applied_at = s.created_at FROM standing s
     WHERE f.batch_id = $1
   )
   DELETE FROM bulk_files WHERE batch_id = $1 AND NOT EXISTS (SELECT FROM standing)`,
)

export interface NewBatch {
  readonly id: string
  readonly kind: BulkKind
  readonly packTypeId: number | null
  readonly actorId: number
  readonly recipients: Batch['recipients']
  /** What staff said about a grant; null for a file, a reversal and a grant without a word. */
  readonly description?: string | null
  readonly fileName?: string
  readonly fileHash?: string
  readonly reverses?: string
  readonly now: Date
}

export type NewBatchRow = Omit<BatchRow, 'displayName'>

/** What a receipt calls somebody who has left: as their leaving does in what was there already. */
export function rowOfLeaver(userId: number): Pick<NewBatchRow, 'username' | 'userId'> {
  return { username: `deleted-${userId}`, userId }
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

const addGranted = statement(
  'add_granted_batch_rows',
  `INSERT INTO bulk_batch_rows (batch_id, row_number, username, user_id, verdict, amount, applied,
     after)
   SELECT $1, w.place, u.username, u.id, 'ok', w.applied, w.applied, w.after
   FROM unnest($2::int[], $3::int[], $4::bigint[], $5::bigint[])
     AS w (place, user_id, applied, after)
   JOIN users u ON u.id = w.user_id ORDER BY w.place`,
)

/** A row of a grant that reached its user; everyone may be among them. */
export interface GrantedRow {
  readonly row: number
  readonly userId: number
  /** What was given. */
  readonly delta: number
  readonly after: number
}

/**
 * What a batch gives in all, added up exactly: a rounded total would contradict its rows for ever.
 * @throws DomainError invalid_input for more than a number can tell
 */
export function totalOf(amounts: readonly number[]): number {
  const total = amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)
  if (total > BigInt(redCoinMax)) throw new DomainError('invalid_input', 'Amount is too large')
  return Number(total)
}

/**
 * Writes a batch with its receipt, which says how many rows were good and what they gave.
 * @throws DomainError as `totalOf` does
 */
export async function addBatchWithRows(
  tx: Queryable,
  batch: NewBatch,
  rows: readonly NewBatchRow[],
  granted: readonly GrantedRow[] = [],
): Promise<void> {
  const { description = null, fileName = null, fileHash = null, reverses = null } = batch
  const processedCount = granted.length + rows.filter(({ verdict }) => verdict === 'ok').length
  const failedCount = granted.length + rows.length - processedCount
  const given = [...rows.map(({ applied }) => applied), ...granted.map(({ delta }) => delta)]
  const total = totalOf(given)
  const said = { description, fileName, fileHash, reverses }
  await tx.run(addBatch, { ...batch, ...said, processedCount, failedCount, total })
  for (let done = 0; done < rows.length; done += rowsAtOnceMax) {
    const part = rows.slice(done, done + rowsAtOnceMax)
    await tx.run(addRows, [batch.id, JSON.stringify(part)])
  }
  if (granted.length === 0) return
  const column = (key: keyof GrantedRow) => granted.map((row) => row[key])
  const values = [column('row'), column('userId'), column('delta'), column('after')]
  await tx.run(addGranted, [batch.id, ...values])
}

export interface StoredBatch
  extends Pick<
    Batch,
    'id' | 'kind' | 'recipients' | 'reverses' | 'processedCount' | 'failedCount' | 'total'
  > {
  readonly packTypeId: number | null
  readonly packTypeName: string | null
}

const readBatch = `SELECT b.id, b.kind, b.pack_type_id AS "packTypeId", p.name AS "packTypeName",
    b.recipients, b.reverses, b.processed_count AS "processedCount",
    b.failed_count AS "failedCount", b.total
  FROM bulk_batches b LEFT JOIN pack_types p ON p.id = b.pack_type_id WHERE b.id = $1`

export const batchById = rowQuery<StoredBatch, [id: string]>('find_bulk_batch', readBatch)

/** The batch, which nobody else reverses until the transaction ends. */
export const lockBatch = rowQuery<StoredBatch, [id: string]>(
  'lock_bulk_batch',
  `${readBatch} FOR UPDATE OF b`,
)

export const isReversed = existsQuery<[id: string]>(
  'find_bulk_reversal',
  'SELECT 1 AS found FROM bulk_batches WHERE reverses = $1',
)

/** Rows of a batch that were applied as they stand, in their order. */
export const appliedRows = rowsQuery<NewBatchRow, [id: string]>(
  'read_bulk_batch_rows',
  `SELECT row_number AS "row", username, user_id AS "userId", verdict, reason, amount, applied,
     after
   FROM bulk_batch_rows WHERE batch_id = $1 AND verdict = 'ok' ORDER BY row_number`,
)
