// The SQL of the second factor: one secret per account, its recovery codes, and what was used.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { SealedText } from '../../rules/contact-info.ts'

export interface SecondFactorRow {
  readonly secret: SealedText
  /** Null while it is enrolled and does not count yet. */
  readonly confirmedAt: Date | null
}

const readRow = statement(
  'read_second_factor',
  `SELECT secret, confirmed_at AS "confirmedAt" FROM second_factors WHERE user_id = $1`,
)
const readAccount = statement(
  'read_second_factor_account',
  'SELECT username FROM users WHERE id = $1 AND is_protected AND deleted_at IS NULL',
)
const putSecret = statement(
  'put_second_factor',
  `INSERT INTO second_factors (user_id, secret, created_at) VALUES ($1, $2::jsonb, $3)
   ON CONFLICT (user_id) DO UPDATE SET secret = EXCLUDED.secret, last_step = 0,
     created_at = EXCLUDED.created_at
   WHERE second_factors.confirmed_at IS NULL
   RETURNING user_id`,
)
const confirmRow = statement(
  'confirm_second_factor',
  `UPDATE second_factors SET confirmed_at = $2, last_step = $3
   WHERE user_id = $1 AND confirmed_at IS NULL RETURNING user_id`,
)
const spendStep = statement(
  'spend_time_step',
  `UPDATE second_factors SET last_step = $2
   WHERE user_id = $1 AND confirmed_at IS NOT NULL AND last_step < $2 RETURNING user_id`,
)
const spendRecovery = statement(
  'spend_recovery_code',
  `UPDATE recovery_codes SET used_at = $3
   WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL RETURNING id`,
)
const removeRow = statement('remove_second_factor', 'DELETE FROM second_factors WHERE user_id = $1')
const removeCodes = statement(
  'remove_recovery_codes',
  'DELETE FROM recovery_codes WHERE user_id = $1',
)
const addCodes = statement(
  'add_recovery_codes',
  'INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::text[])',
)

export async function readSecondFactor(
  tx: Queryable,
  userId: number,
): Promise<SecondFactorRow | undefined> {
  return (await tx.run<SecondFactorRow>(readRow, [userId]))[0]
}

/** The name of the local account; undefined for everybody else, who has no second factor. */
export async function localAccountName(tx: Queryable, userId: number): Promise<string | undefined> {
  return (await tx.run<{ username: string }>(readAccount, [userId]))[0]?.username
}

/** Keeps a new secret that does not count yet; false when one counts already. */
export async function enrolSecret(
  tx: Queryable,
  userId: number,
  secret: SealedText,
  now: Date,
): Promise<boolean> {
  return (await tx.run(putSecret, [userId, JSON.stringify(secret), now])).length > 0
}

/** Makes the enrolled secret count; `step` is spent with it. False when another call was faster. */
export async function confirmSecret(
  tx: Queryable,
  userId: number,
  step: number,
  now: Date,
): Promise<boolean> {
  return (await tx.run(confirmRow, [userId, now, step])).length > 0
}

type Spent =
  | { readonly kind: 'step'; readonly step: number }
  | { readonly kind: 'recovery'; readonly hash: string }

/**
 * Uses up a code: a step that is newer than every one before, or a recovery code that is not used.
 * False for any other, so no code is good twice, also when it comes twice at once.
 */
export async function spendCode(
  tx: Queryable,
  userId: number,
  code: Spent,
  now: Date,
): Promise<boolean> {
  const rows =
    code.kind === 'step'
      ? await tx.run(spendStep, [userId, code.step])
      : await tx.run(spendRecovery, [userId, code.hash, now])
  return rows.length > 0
}

export async function replaceRecoveryCodes(
  tx: Queryable,
  userId: number,
  hashes: readonly string[],
): Promise<void> {
  await tx.run(removeCodes, [userId])
  await tx.run(addCodes, [userId, hashes])
}

/** Removes the secret and the recovery codes. */
export async function removeSecondFactor(tx: Queryable, userId: number): Promise<void> {
  await tx.run(removeRow, [userId])
}
