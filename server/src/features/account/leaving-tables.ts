// The SQL of leaving for good: names go, books stay, and a mark remains of who has been here.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import {
  existsQuery,
  oneValueQuery,
  rowQuery,
  rowsQuery,
  writeQuery,
} from '../../adapters/db/queries.ts'
import { erasingContacts } from '../../shared/claim-sql.ts'

export type OutsideProvider = 'twitch' | 'discord'

// The time moves with every leaving, and a block is never lost by another one. Whether a name is
// hidden is what staff thought of it last.
const putTombstone = writeQuery<
  [mark: Tombstone & { provider: OutsideProvider; fingerprint: string; owner: string | null }]
>(
  'put_tombstone',
  `INSERT INTO tombstones (provider, fingerprint, created_at, is_earning_blocked, suspended_until,
     is_name_hidden, owner_fingerprint)
   VALUES (:provider, :fingerprint, :leftAt, :isEarningBlocked, :suspendedUntil, :isNameHidden,
     :owner)
   ON CONFLICT (provider, fingerprint) DO UPDATE SET
     created_at = greatest(tombstones.created_at, EXCLUDED.created_at),
     is_earning_blocked = tombstones.is_earning_blocked OR EXCLUDED.is_earning_blocked,
     suspended_until = greatest(tombstones.suspended_until, EXCLUDED.suspended_until),
     is_name_hidden = EXCLUDED.is_name_hidden,
     owner_fingerprint = EXCLUDED.owner_fingerprint`,
)

/** What is known of an outside account whose owner has left. */
export interface Tombstone {
  /** The last time. */
  readonly leftAt: Date
  /** True when the owner was shut out from earning. */
  readonly isEarningBlocked: boolean
  /** Until when the owner was suspended; null for never. */
  readonly suspendedUntil: Date | null
  /** True when staff showed another name than the owner's. */
  readonly isNameHidden: boolean
}

/** The tombstone under one of these fingerprints; undefined when nobody has left with them. */
export const findTombstone = rowQuery<
  Tombstone,
  [provider: OutsideProvider, fingerprints: readonly string[]]
>(
  'read_tombstone',
  `SELECT max(created_at) AS "leftAt", bool_or(is_earning_blocked) AS "isEarningBlocked",
     max(suspended_until) AS "suspendedUntil",
     (array_agg(is_name_hidden ORDER BY created_at DESC))[1] AS "isNameHidden"
   FROM tombstones WHERE provider = $1 AND fingerprint = ANY($2::text[])
   HAVING count(*) > 0`,
)

export interface OutsideAccount {
  readonly provider: OutsideProvider
  readonly id: string
}

/** Accounts elsewhere by which the user is or was known. */
export const outsideAccounts = rowsQuery<OutsideAccount, [userId: number]>(
  'read_outside_accounts',
  `SELECT 'twitch' AS provider, twitch_id AS id FROM users WHERE id = $1 AND twitch_id IS NOT NULL
   UNION
   SELECT 'discord', discord_id FROM users WHERE id = $1 AND discord_id IS NOT NULL
   UNION
   SELECT 'discord', discord_user_id FROM discord_reward_claims
   WHERE user_id = $1 AND discord_user_id IS NOT NULL`,
)

/** Keyed marks of outside accounts: that of the key in use, and those of all keys. */
interface Fingerprinting {
  fingerprint(provider: OutsideProvider, id: string): string
  fingerprints(provider: OutsideProvider, id: string): readonly string[]
}

/**
 * Remembers that a user has left one of these outside accounts behind, all of them or those that
 * are given: how the user stood then, and whose Twitch account it went with.
 */
export async function remember(
  tx: Queryable,
  encryption: Pick<Fingerprinting, 'fingerprint'>,
  { accounts, left }: { accounts: readonly OutsideAccount[]; left: readonly OutsideAccount[] },
  tombstone: Tombstone,
): Promise<void> {
  const twitch = accounts.find(({ provider }) => provider === 'twitch')
  const owner = twitch === undefined ? null : encryption.fingerprint('twitch', twitch.id)
  for (const { provider, id } of left) {
    const fingerprint = encryption.fingerprint(provider, id)
    await putTombstone(tx, { ...tombstone, provider, fingerprint, owner })
  }
}

const lift = (what: string, lifted: string, isSet: string) =>
  writeQuery<[marks: readonly string[]]>(
    `lift_remembered_${what}`,
    `UPDATE tombstones SET ${lifted} WHERE ${isSet}
       AND (fingerprint = ANY($1::text[]) OR owner_fingerprint = ANY($1::text[]))`,
  )
const lifts = {
  block: lift('block', 'is_earning_blocked = false', 'is_earning_blocked'),
  suspension: lift('suspension', 'suspended_until = NULL', 'suspended_until IS NOT NULL'),
}

/**
 * Takes a block or a suspension off whatever the user has left or given up, so that it does not
 * return with an account elsewhere. The leaving stays known.
 */
export async function liftRemembered(
  tx: Queryable,
  encryption: Pick<Fingerprinting, 'fingerprints'>,
  what: keyof typeof lifts,
  userId: number,
): Promise<void> {
  const accounts = await outsideAccounts(tx, userId)
  const marks = accounts.flatMap(({ provider, id }) => encryption.fingerprints(provider, id))
  await lifts[what](tx, marks)
}

/** How many marks of people who have left there are; only the key that made one knows it again. */
export const countKeyedMarks = oneValueQuery<{ count: number }>(
  'count_keyed_marks',
  `SELECT ((SELECT count(*) FROM tombstones) + (SELECT count(*) FROM paid_watch_marks))::int
     AS count`,
)

export interface PaidBroadcast {
  readonly streamId: number
  readonly streamSessionId: string
}

/** The text that is marked for an outside account that was paid for a broadcast. */
export function paidBroadcastText(twitchId: string, broadcast: PaidBroadcast): string {
  return JSON.stringify([twitchId, broadcast.streamId, broadcast.streamSessionId])
}

/** Every broadcast that the user was paid for. */
export const paidBroadcasts = rowsQuery<PaidBroadcast, [userId: number]>(
  'read_paid_broadcasts',
  `SELECT stream_id AS "streamId", stream_session_id AS "streamSessionId"
   FROM watch_completions WHERE user_id = $1`,
)

export const rememberPaidBroadcasts = writeQuery<[marks: readonly string[], now: Date]>(
  'add_paid_watch_marks',
  `INSERT INTO paid_watch_marks (mark, created_at) SELECT unnest($1::text[]), $2
   ON CONFLICT DO NOTHING`,
)

/** True when somebody who has left was paid for a broadcast under one of these marks. */
export const wasPaidBefore = existsQuery<[marks: readonly string[]]>(
  'find_paid_watch_mark',
  'SELECT 1 AS found FROM paid_watch_marks WHERE mark = ANY($1::text[]) LIMIT 1',
)

const clearUser = statement(
  'clear_user',
  `UPDATE users SET username = 'deleted-' || id, display_name = 'Deleted viewer', twitch_id = NULL,
     twitch_display_name = NULL, own_name = NULL, is_name_flagged = false,
     suspended_until = NULL, suspension_reason = NULL, suspension_answer = NULL,
     email = NULL, avatar = NULL, bio = NULL, country = NULL, timezone = NULL,
     notifications = DEFAULT, role = 'user', solana_wallet = NULL,
     solana_wallet_verified_at = NULL, discord_id = NULL, discord_username = NULL,
     discord_avatar = NULL, discord_linked_at = NULL, is_hidden_from_leaderboard = true,
     deleted_at = $2, updated_at = $2
   WHERE id = $1`,
)
// The keys stay, so that nothing that staff did takes effect again.
const blankAnswers = statement(
  'blank_answers_to_staff',
  `UPDATE idempotency_keys SET body = NULL WHERE route LIKE '%/api/admin/%' AND EXISTS (
     SELECT FROM (SELECT username FROM users WHERE id = $1
       UNION SELECT username FROM former_usernames WHERE user_id = $1) known
     WHERE strpos(body, '"username":' || to_json(username)::text) > 0
       OR strpos(body, 'renamed to ' || username || '"') > 0)`,
)
const clearings = [
  'DELETE FROM sessions WHERE user_id = $1',
  'DELETE FROM sign_in_attempts WHERE user_id = $1',
  'DELETE FROM twitch_sign_ins WHERE user_id = $1',
  'DELETE FROM wallet_challenges WHERE user_id = $1',
  'DELETE FROM staff_notes WHERE user_id = $1',
  'DELETE FROM idempotency_keys WHERE user_id = $1',
  'UPDATE discord_reward_claims SET discord_user_id = NULL WHERE user_id = $1',
  'DELETE FROM former_usernames WHERE user_id = $1',
  'DELETE FROM outbox_messages WHERE user_id = $1',
  'DELETE FROM push_subscriptions WHERE user_id = $1',
  'DELETE FROM notification_settings WHERE user_id = $1',
  `UPDATE bulk_batch_rows SET username = 'deleted-' || user_id,
     reason = CASE WHEN verdict = 'renamed' THEN 'renamed' ELSE reason END
   WHERE user_id = $1`,
].map((text, index) => statement(`clear_person_${index}`, text))
const clearContacts = statement(
  'clear_contacts',
  erasingContacts(
    `SELECT c.id FROM prize_claims c LEFT JOIN shipments s ON s.id = c.id
     WHERE c.user_id = $1 AND (c.contact_info IS NOT NULL OR s.tracking_number IS NOT NULL)`,
    '$2',
  ),
)

/** Takes everything from a user that says who it was; ledger, holdings and openings stay. */
export async function clearPerson(tx: Queryable, userId: number, now: Date): Promise<void> {
  // As long as it is known what they were called.
  await tx.run(blankAnswers, [userId])
  await tx.run(clearUser, [userId, now])
  for (const clearing of clearings) await tx.run(clearing, [userId])
  await tx.run(clearContacts, [userId, now])
}
