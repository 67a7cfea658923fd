// The SQL of signed checkpoints: keys, notes, and what each witness has seen and said to them.

import { type Queryable, statement } from '../../adapters/db/database.ts'

const readKey = statement(
  'read_log_key',
  `SELECT id, origin, public_key AS "publicKey", trouble FROM log_keys ORDER BY id DESC LIMIT 1`,
)
const addKeyRow = statement(
  'add_log_key',
  `INSERT INTO log_keys (origin, public_key, from_size, reason, last_note, accepted_at)
   VALUES (:origin, :publicKey, :fromSize, :reason, :lastNote, :now)
   RETURNING id, origin, public_key AS "publicKey", trouble`,
)
const writeTrouble = statement(
  'write_log_trouble',
  'UPDATE log_keys SET trouble = $2 WHERE id = $1 AND trouble IS DISTINCT FROM $2',
)
const readNewest = statement(
  'read_newest_checkpoint',
  `SELECT c.size, c.root, c.key_id AS "keyId", c.note,
     c.note || coalesce((SELECT string_agg(s.line, '' ORDER BY s.verifier_key)
       FROM log_cosignatures s WHERE s.size = c.size), '') AS served
   FROM log_checkpoints c ORDER BY c.size DESC LIMIT 1`,
)
const readRequest = statement(
  'read_logged_request',
  `SELECT l.index, e.body FROM log_requests l JOIN log_entries e ON e.index = l.index
   WHERE l.request_id = $1`,
)
const addCheckpoint = statement(
  'add_checkpoint',
  `INSERT INTO log_checkpoints (size, root, key_id, note, signed_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (size) DO UPDATE SET key_id = EXCLUDED.key_id, note = EXCLUDED.note,
     signed_at = EXCLUDED.signed_at`,
)
const forgetOlder = statement(
  'forget_older_checkpoints',
  `DELETE FROM log_checkpoints WHERE size < (
     SELECT size FROM log_checkpoints ORDER BY size DESC OFFSET $1 LIMIT 1)`,
)
const forgetAll = statement('forget_all_checkpoints', 'DELETE FROM log_checkpoints')
const forgetWitnesses = statement('forget_log_witnesses', 'DELETE FROM log_witnesses')
const forgetCosignatures = statement(
  'forget_cosignatures',
  'DELETE FROM log_cosignatures WHERE size = $1',
)

/** Checkpoints that are kept, so that what was just handed out can still be looked at. */
const checkpointsKept = 20

export type LogTrouble = 'key_changed' | 'history_lost' | 'inconsistent'

export interface LogKey {
  readonly id: number
  readonly origin: string
  readonly publicKey: Uint8Array
  readonly trouble: LogTrouble | null
}

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

/** The key in force, undefined before the first checkpoint. */
export async function currentLogKey(db: Queryable): Promise<LogKey | undefined> {
  return (await db.run<LogKey>(readKey, []))[0]
}

export interface NewLogKey extends Pick<LogKey, 'origin' | 'publicKey'> {
  readonly fromSize: number
  readonly reason: 'first' | 'new_key' | 'new_log'
  readonly lastNote: string | null
}

export async function addLogKey(tx: Queryable, key: NewLogKey, now: Date): Promise<LogKey> {
  const [added] = await tx.run<LogKey>(addKeyRow, { ...key, now })
  if (added === undefined) throw new Error('A key of the log that was just added is missing')
  return added
}

/** Keeps why nothing can be signed, null when all is well. */
export async function setLogTrouble(
  db: Queryable,
  keyId: number,
  trouble: LogTrouble | null,
): Promise<void> {
  await db.run(writeTrouble, [keyId, trouble])
}

/** The newest checkpoint, undefined before the first. */
export async function newestCheckpoint(db: Queryable): Promise<NewestCheckpoint | undefined> {
  return (await db.run<NewestCheckpoint>(readNewest, []))[0]
}

/** Adds a signed checkpoint, or replaces what another key has signed of the same size. */
export async function storeCheckpoint(
  tx: Queryable,
  checkpoint: StoredCheckpoint,
  now: Date,
): Promise<void> {
  const { size, root, keyId, note } = checkpoint
  await tx.run(forgetCosignatures, [size])
  await tx.run(addCheckpoint, [size, root, keyId, note, now])
  await tx.run(forgetOlder, [checkpointsKept])
}

/** A log under a new name begins without checkpoints, and no witness has seen it. */
export async function forgetCheckpoints(tx: Queryable): Promise<void> {
  await tx.run(forgetAll, [])
  await tx.run(forgetWitnesses, [])
}

/** The entry of an opening request, undefined while it waits. */
export async function requestInLog(
  db: Queryable,
  requestId: string,
): Promise<{ readonly index: number; readonly body: string } | undefined> {
  return (await db.run<{ index: number; body: string }>(readRequest, [requestId]))[0]
}

const addWitnesses = statement(
  'add_log_witnesses',
  `INSERT INTO log_witnesses (verifier_key) SELECT * FROM unnest($1::text[])
   ON CONFLICT (verifier_key) DO NOTHING`,
)
const readToAsk = statement(
  'read_witnesses_to_ask',
  `SELECT w.verifier_key AS "verifierKey", w.seen_size AS "seenSize",
     w.failures_in_row AS "failuresInRow"
   FROM log_witnesses w
   WHERE w.verifier_key = ANY ($1::text[]) AND (w.next_try_at IS NULL OR w.next_try_at <= $3)
     AND NOT EXISTS (SELECT FROM log_cosignatures c
       WHERE c.size = $2 AND c.verifier_key = w.verifier_key)`,
)
// The checkpoint may be signed anew, or forgotten, while the witness is asked.
const addCosignature = statement(
  'add_cosignature',
  `INSERT INTO log_cosignatures (size, verifier_key, line)
   SELECT size, $2, $3 FROM log_checkpoints WHERE size = $1 AND note = $4 FOR SHARE
   ON CONFLICT DO NOTHING`,
)
const wentWell = statement(
  'witness_went_well',
  `UPDATE log_witnesses SET seen_size = $2, cosigned_at = $3, problem = NULL, failures_in_row = 0,
     next_try_at = NULL
   WHERE verifier_key = $1`,
)
const wentWrong = statement(
  'witness_went_wrong',
  `UPDATE log_witnesses SET seen_size = coalesce($2::bigint, seen_size), problem = $3,
     failures_in_row = failures_in_row + 1, next_try_at = $4
   WHERE verifier_key = $1`,
)

export interface WitnessToAsk {
  readonly verifierKey: string
  /** Entries that it has seen as far as we know. */
  readonly seenSize: number
  readonly failuresInRow: number
}

/** Those of the setting that have not cosigned the checkpoint of this size and may be asked now. */
export async function witnessesToAsk(
  db: Queryable,
  verifierKeys: readonly string[],
  size: number,
  now: Date,
): Promise<WitnessToAsk[]> {
  await db.run(addWitnesses, [verifierKeys])
  return db.run<WitnessToAsk>(readToAsk, [verifierKeys, size, now])
}

/** Keeps a cosignature of the checkpoint with exactly this note. */
export async function storeCosignature(
  db: Queryable,
  cosigned: { readonly verifierKey: string; readonly size: number; readonly note: string },
  line: string,
  now: Date,
): Promise<void> {
  await db.run(addCosignature, [cosigned.size, cosigned.verifierKey, line, cosigned.note])
  await db.run(wentWell, [cosigned.verifierKey, cosigned.size, now])
}

export async function storeWitnessProblem(
  db: Queryable,
  verifierKey: string,
  seenSize: number | null,
  problem: string,
  nextTryAt: Date,
): Promise<void> {
  await db.run(wentWrong, [verifierKey, seenSize, problem, nextTryAt])
}
