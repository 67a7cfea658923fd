// The SQL of leaving for good: names go, books stay, and a mark remains of who has been here.

import { type Queryable, statement } from '../../adapters/db/database.ts'

export type OutsideProvider = 'twitch' | 'discord'

const readTombstone = statement(
  'read_tombstone',
  'SELECT 1 AS found FROM tombstones WHERE provider = $1 AND fingerprint = ANY($2::text[])',
)
const readLeaving = statement(
  'read_leaving',
  `SELECT max(created_at) AS at FROM tombstones
   WHERE provider = $1 AND fingerprint = ANY($2::text[])`,
)
const addTombstone = statement(
  'add_tombstone',
  `INSERT INTO tombstones (provider, fingerprint, created_at) VALUES ($1, $2, $3)
   ON CONFLICT DO NOTHING`,
)

/**
 * True when the account with one of these fingerprints belonged to somebody who has left. What is
 * given once in a lifetime is not given again then.
 */
export async function isRemembered(
  tx: Queryable,
  provider: OutsideProvider,
  fingerprints: readonly string[],
): Promise<boolean> {
  return (await tx.run(readTombstone, [provider, fingerprints])).length > 0
}

/** When somebody with one of these fingerprints has left last; undefined when nobody has. */
export async function leftAt(
  tx: Queryable,
  provider: OutsideProvider,
  fingerprints: readonly string[],
): Promise<Date | undefined> {
  const rows = await tx.run<{ at: Date | null }>(readLeaving, [provider, fingerprints])
  return rows[0]?.at ?? undefined
}

export async function remember(
  tx: Queryable,
  provider: OutsideProvider,
  fingerprint: string,
  now: Date,
): Promise<void> {
  await tx.run(addTombstone, [provider, fingerprint, now])
}

const readOutside = statement(
  'read_outside_accounts',
  `SELECT 'twitch' AS provider, twitch_id AS id FROM users WHERE id = $1 AND twitch_id IS NOT NULL
   UNION
   SELECT 'discord', discord_id FROM users WHERE id = $1 AND discord_id IS NOT NULL
   UNION
   SELECT 'discord', discord_user_id FROM discord_reward_claims
   WHERE user_id = $1 AND discord_user_id IS NOT NULL`,
)

export interface OutsideAccount {
  readonly provider: OutsideProvider
  readonly id: string
}

/** Accounts elsewhere by which the user is or was known. */
export async function outsideAccounts(tx: Queryable, userId: number): Promise<OutsideAccount[]> {
  return tx.run<OutsideAccount>(readOutside, [userId])
}

const clearUser = statement(
  'clear_user',
  `UPDATE users SET username = 'deleted-' || id, display_name = 'Deleted viewer', twitch_id = NULL,
     twitch_display_name = NULL,
     email = NULL, avatar = NULL, bio = NULL, country = NULL, timezone = NULL,
     notifications = DEFAULT, role = 'user', solana_wallet = NULL,
     solana_wallet_verified_at = NULL, discord_id = NULL, discord_username = NULL,
     discord_avatar = NULL, is_hidden_from_leaderboard = true, deleted_at = $2, updated_at = $2
   WHERE id = $1`,
)
const clearings = [
  'DELETE FROM sessions WHERE user_id = $1',
  'DELETE FROM sign_in_attempts WHERE user_id = $1',
  'DELETE FROM twitch_sign_ins WHERE user_id = $1',
  'DELETE FROM wallet_challenges WHERE user_id = $1',
  'DELETE FROM staff_notes WHERE user_id = $1',
  'DELETE FROM idempotency_keys WHERE user_id = $1',
  'UPDATE discord_reward_claims SET discord_user_id = NULL WHERE user_id = $1',
].map((text, index) => statement(`clear_person_${index}`, text))
const clearContacts = statement(
  'clear_contacts',
  `UPDATE prize_claims SET contact_info = NULL, updated_at = $2
   WHERE user_id = $1 AND contact_info IS NOT NULL`,
)

/** Takes everything from a user that says who it was; ledger, holdings and openings stay. */
export async function clearPerson(tx: Queryable, userId: number, now: Date): Promise<void> {
  await tx.run(clearUser, [userId, now])
  for (const clearing of clearings) await tx.run(clearing, [userId])
  await tx.run(clearContacts, [userId, now])
}
