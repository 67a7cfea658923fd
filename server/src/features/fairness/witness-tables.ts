// The SQL of witnesses: what each has seen of the log, its cosignatures, and when to ask again.

import { type Queryable, statement } from '../../adapters/db/database.ts'

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
