// The SQL of signed checkpoints: keys, notes, and what each witness has seen and said to them.

import type { Queryable } from '../../adapters/db/database.ts'
import { oneQuery, rowQuery, rowsQuery, writeQuery } from '../../adapters/db/queries.ts'

export type LogFault = 'key_changed' | 'history_lost' | 'inconsistent'

export interface LogKey {
  readonly id: number
  readonly origin: string
  readonly publicKey: Uint8Array
  readonly trouble: LogFault | null
}

export interface NewLogKey extends Pick<LogKey, 'origin' | 'publicKey'> {
  readonly fromSize: number
  readonly reason: 'first' | 'new_key' | 'new_log'
  readonly lastNote: string | null
  readonly now: Date
}

/** The key in force, undefined before the first checkpoint. */
export const currentLogKey = rowQuery<LogKey>(
  'read_log_key',
  `SELECT id, origin, public_key AS "publicKey", trouble FROM log_keys ORDER BY id DESC LIMIT 1`,
)
export const addLogKey = oneQuery<LogKey, [key: NewLogKey]>(
  'add_log_key',
  `INSERT INTO log_keys (origin, public_key, from_size, reason, last_note, accepted_at)
   VALUES (:origin, :publicKey, :fromSize, :reason, :lastNote, :now)
   RETURNING id, origin, public_key AS "publicKey", trouble`,
)
/** Keeps why nothing can be signed, null when all is well. */
export const setLogFault = writeQuery<[keyId: number, trouble: LogFault | null]>(
  'write_log_trouble',
  'UPDATE log_keys SET trouble = $2 WHERE id = $1 AND trouble IS DISTINCT FROM $2',
)

export interface StoredCheckpoint {
  readonly size: number
  readonly root: Uint8Array
  readonly keyId: number
  readonly note: string
}

export interface NewestCheckpoint extends StoredCheckpoint {
  /** The note with the cosignatures of all witnesses. */
  readonly served: string
}

/** The newest checkpoint, undefined before the first. */
export const newestCheckpoint = rowQuery<NewestCheckpoint>(
  'read_newest_checkpoint',
  `SELECT c.size, c.root, c.key_id AS "keyId", c.note,
     c.note || coalesce((SELECT string_agg(s.line, '' ORDER BY s.verifier_key)
       FROM log_cosignatures s WHERE s.size = c.size), '') AS served
   FROM log_checkpoints c ORDER BY c.size DESC LIMIT 1`,
)
/** The entry of an opening request, none while it waits. */
export const requestInLog = rowsQuery<{ index: number; body: string }, [requestId: string]>(
  'read_logged_request',
  `SELECT l.index, e.body FROM log_requests l JOIN log_entries e ON e.index = l.index
   WHERE l.request_id = $1`,
)
const addCheckpoint = writeQuery<[checkpoint: StoredCheckpoint & { readonly now: Date }]>(
  'add_checkpoint',
  `INSERT INTO log_checkpoints (size, root, key_id, note, signed_at)
   VALUES (:size, :root, :keyId, :note, :now)
   ON CONFLICT (size) DO UPDATE SET key_id = EXCLUDED.key_id, note = EXCLUDED.note,
     signed_at = EXCLUDED.signed_at`,
)
// So many are kept that what was just handed out can still be looked at.
const forgetOlder = writeQuery(
  'forget_older_checkpoints',
  `DELETE FROM log_checkpoints WHERE size < (
     SELECT size FROM log_checkpoints ORDER BY size DESC OFFSET 20 LIMIT 1)`,
)
/** A log under a new name begins without checkpoints, and no witness has seen it. */
export const forgetCheckpoints = writeQuery(
  'forget_all_checkpoints',
  'WITH seen AS (DELETE FROM log_witnesses) DELETE FROM log_checkpoints',
)
const forgetCosignatures = writeQuery<[size: number]>(
  'forget_cosignatures',
  'DELETE FROM log_cosignatures WHERE size = $1',
)

/** Adds a signed checkpoint, or replaces what another key has signed of the same size. */
export async function storeCheckpoint(tx: Queryable, checkpoint: StoredCheckpoint, now: Date) {
  await forgetCosignatures(tx, checkpoint.size)
  await addCheckpoint(tx, { ...checkpoint, now })
  await forgetOlder(tx)
}

export interface WitnessToAsk {
  readonly verifierKey: string
  readonly seenSize: number
  readonly failuresInRow: number
}

const addWitnesses = writeQuery<[verifierKeys: readonly string[]]>(
  'add_log_witnesses',
  `INSERT INTO log_witnesses (verifier_key) SELECT * FROM unnest($1::text[])
   ON CONFLICT (verifier_key) DO NOTHING`,
)
const readToAsk = rowsQuery<
  WitnessToAsk,
  [verifierKeys: readonly string[], size: number, now: Date]
>(
  'read_witnesses_to_ask',
  `SELECT w.verifier_key AS "verifierKey", w.seen_size AS "seenSize",
     w.failures_in_row AS "failuresInRow"
   FROM log_witnesses w
   WHERE w.verifier_key = ANY ($1::text[]) AND (w.next_try_at IS NULL OR w.next_try_at <= $3)
     AND NOT EXISTS (SELECT FROM log_cosignatures c
       WHERE c.size = $2 AND c.verifier_key = w.verifier_key)`,
)
// The checkpoint may be signed anew, or forgotten, while the witness is asked.
const addCosignature = writeQuery<[size: number, verifierKey: string, line: string, note: string]>(
  'add_cosignature',
  `INSERT INTO log_cosignatures (size, verifier_key, line)
   SELECT size, $2, $3 FROM log_checkpoints WHERE size = $1 AND note = $4 FOR SHARE
   ON CONFLICT DO NOTHING`,
)
const wentWell = writeQuery<[verifierKey: string, seenSize: number, now: Date]>(
  'witness_went_well',
  `UPDATE log_witnesses SET seen_size = $2, cosigned_at = $3, problem = NULL, failures_in_row = 0,
     next_try_at = NULL
   WHERE verifier_key = $1`,
)
/** `seenSize` is null where the witness did not say it. */
export const storeWitnessProblem = writeQuery<
  [verifierKey: string, seenSize: number | null, problem: string, nextTryAt: Date]
>(
  'witness_went_wrong',
  `UPDATE log_witnesses SET seen_size = coalesce($2::bigint, seen_size), problem = $3,
     failures_in_row = failures_in_row + 1, next_try_at = $4
   WHERE verifier_key = $1`,
)

/** Those of the setting that have not cosigned the checkpoint of this size and may be asked now. */
export async function witnessesToAsk(
  db: Queryable,
  verifierKeys: readonly string[],
  size: number,
  now: Date,
): Promise<WitnessToAsk[]> {
  await addWitnesses(db, verifierKeys)
  return readToAsk(db, verifierKeys, size, now)
}

export async function storeCosignature(
  db: Queryable,
  verifierKey: string,
  { size, note }: StoredCheckpoint,
  line: string,
  now: Date,
): Promise<void> {
  await addCosignature(db, size, verifierKey, line, note)
  await wentWell(db, verifierKey, size, now)
}
