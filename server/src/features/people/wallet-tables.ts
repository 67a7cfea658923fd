// The SQL of proving a wallet: the text under way, and whose the wallet is afterwards.

import { type Queryable, statement } from '../../adapters/db/database.ts'

export interface WalletChallengeRow {
  readonly userId: number
  readonly sessionHash: string
  readonly address: string
  readonly message: string
  readonly expiresAt: Date
}

const putChallenge = statement(
  'put_wallet_challenge',
  `INSERT INTO wallet_challenges (user_id, session_hash, address, message, expires_at)
   VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (user_id) DO UPDATE SET session_hash = EXCLUDED.session_hash,
     address = EXCLUDED.address, message = EXCLUDED.message, expires_at = EXCLUDED.expires_at`,
)
const takeRow = statement(
  'take_wallet_challenge',
  `DELETE FROM wallet_challenges WHERE user_id = $1
   RETURNING user_id AS "userId", session_hash AS "sessionHash", address, message,
     expires_at AS "expiresAt"`,
)
const lockHolders = statement(
  'lock_wallet_holders',
  `SELECT id FROM users WHERE id = $1 OR solana_wallet = $2 ORDER BY id FOR NO KEY UPDATE`,
)
const clearUnproven = statement(
  'clear_unproven_wallets',
  `UPDATE users SET solana_wallet = NULL, updated_at = $3
   WHERE solana_wallet = $2 AND id <> $1 AND solana_wallet_verified_at IS NULL RETURNING id`,
)
const setProven = statement(
  'set_proven_wallet',
  `UPDATE users SET solana_wallet = $2, solana_wallet_verified_at = $3, updated_at = $3
   WHERE id = $1 AND deleted_at IS NULL RETURNING id`,
)

/** Keeps one challenge per user; a new one replaces the old. */
export async function putWalletChallenge(db: Queryable, row: WalletChallengeRow): Promise<void> {
  const { userId, sessionHash, address, message, expiresAt } = row
  await db.run(putChallenge, [userId, sessionHash, address, message, expiresAt])
}

/** Reads the user's challenge and removes it, so that it is good for one attempt. */
export async function takeWalletChallenge(
  db: Queryable,
  userId: number,
): Promise<WalletChallengeRow | undefined> {
  return (await db.run<WalletChallengeRow>(takeRow, [userId]))[0]
}

/**
 * Makes the wallet the user's proven own and takes it from everyone who had only typed it. Answers
 * whose rows changed, none when the user is gone.
 * @throws a unique violation when somebody else has proven it
 */
export async function writeProvenWallet(
  tx: Queryable,
  userId: number,
  address: string,
  now: Date,
): Promise<number[]> {
  await tx.run(lockHolders, [userId, address])
  const cleared = await tx.run<{ id: number }>(clearUnproven, [userId, address, now])
  const written = await tx.run<{ id: number }>(setProven, [userId, address, now])
  return written.length === 0 ? [] : [...written, ...cleared].map(({ id }) => id)
}
