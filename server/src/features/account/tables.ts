// The SQL of signing in: sessions, sign-ins under way, the users that signing in makes or changes,
// and what Twitch has handed out for them.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import {
  countQuery,
  existsQuery,
  rowQuery,
  rowsQuery,
  valueQuery,
  valuesQuery,
  writeQuery,
} from '../../adapters/db/queries.ts'
import type { Role } from '../../rules/roles.ts'
import type { SealedText } from '../../shared/sealed-text.ts'

export type SessionKind = 'player' | 'staff' | 'local'

export interface SessionRow {
  readonly tokenHash: string
  readonly userId: number
  readonly kind: SessionKind
  readonly createdAt: Date
  readonly expiresAt: Date
  /** Of the pair that opened a session of the local account. */
  readonly pairMark: string | null
}

export const insertSession = writeQuery<[session: SessionRow]>(
  'add_session',
  `INSERT INTO sessions (token_hash, user_id, kind, created_at, last_seen_at, expires_at, pair_mark)
   VALUES (:tokenHash, :userId, :kind, :createdAt, :createdAt, :expiresAt, :pairMark)`,
)

/** Answers whose session it was, or undefined when there was none. */
export const deleteSession = valueQuery<{ userId: number }, [tokenHash: string]>(
  'remove_session',
  'DELETE FROM sessions WHERE token_hash = $1 RETURNING user_id AS "userId"',
)

/** Ends every session of a user but one. */
export const deleteOtherSessions = writeQuery<[userId: number, keptHash: string]>(
  'remove_other_sessions',
  'DELETE FROM sessions WHERE user_id = $1 AND token_hash <> $2',
)

/** Notes that the owner of the session has just given a code; false when the session is gone. */
export const markSessionConfirmed = existsQuery<[tokenHash: string, now: Date]>(
  'confirm_session',
  'UPDATE sessions SET confirmed_at = $2 WHERE token_hash = $1 RETURNING 1 AS found',
)

/** Ends every session of a user; answers those that ended. */
export const deleteSessions = rowsQuery<{ tokenHash: string; createdAt: Date }, [userId: number]>(
  'remove_sessions_of_user',
  `DELETE FROM sessions WHERE user_id = $1
   RETURNING token_hash AS "tokenHash", created_at AS "createdAt"`,
)

export const updateSession = writeQuery<[tokenHash: string, lastSeenAt: Date, expiresAt: Date]>(
  'renew_session',
  'UPDATE sessions SET last_seen_at = $2, expires_at = $3 WHERE token_hash = $1',
)

// A hundred at a time: cleaning up must not make one person's sign-in slow.
/** Removes at most 100 expired sessions; answers how many. */
export const deleteExpiredSessions = countQuery<[now: Date]>(
  'remove_expired_sessions',
  `DELETE FROM sessions WHERE token_hash IN (
     SELECT token_hash FROM sessions WHERE expires_at <= $1
     ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)
   RETURNING 1 AS gone`,
)

/** Whether a session has ended within the last minute. */
export const hasJustEnded = existsQuery<[tokenHash: string]>(
  'find_session_just_ended',
  `SELECT 1 AS found FROM ended_sessions
   WHERE token_hash = $1 AND ended_at > clock_timestamp() - interval '1 minute'`,
)

/** Forgets at most 500 of the sessions that ended more than an hour ago; answers how many. */
export const deleteEndedSessions = countQuery(
  'forget_ended_sessions',
  `DELETE FROM ended_sessions WHERE token_hash IN (
     SELECT token_hash FROM ended_sessions
     WHERE ended_at < clock_timestamp() - interval '1 hour'
     ORDER BY ended_at LIMIT 500 FOR UPDATE SKIP LOCKED)
   RETURNING 1 AS gone`,
)

export type Provider = 'twitch' | 'discord'

export interface SignInAttempt {
  readonly stateHash: string
  readonly provider: Provider
  readonly browserHash: string
  readonly nonce: string
  /** The user who links an account; null when somebody signs in. */
  readonly userId: number | null
  readonly expiresAt: Date
}

export const insertAttempt = writeQuery<[attempt: SignInAttempt]>(
  'add_sign_in_attempt',
  `INSERT INTO sign_in_attempts (state_hash, provider, browser_hash, nonce, user_id, expires_at)
   VALUES (:stateHash, :provider, :browserHash, :nonce, :userId, :expiresAt)`,
)

/** Reads an attempt and removes it, so that a state is good for one callback only. */
export const takeSignInAttempt = rowQuery<SignInAttempt, [provider: Provider, stateHash: string]>(
  'take_sign_in_attempt',
  `DELETE FROM sign_in_attempts WHERE state_hash = $2 AND provider = $1
   RETURNING state_hash AS "stateHash", provider, browser_hash AS "browserHash", nonce,
     user_id AS "userId", expires_at AS "expiresAt"`,
)

/** Removes at most 100 attempts that nobody came back from; answers how many. */
export const deleteExpiredAttempts = countQuery<[now: Date]>(
  'remove_expired_sign_in_attempts',
  `DELETE FROM sign_in_attempts WHERE state_hash IN (
     SELECT state_hash FROM sign_in_attempts WHERE expires_at <= $1
     ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)
   RETURNING 1 AS gone`,
)

export interface PlatformPerson {
  readonly twitchId: string
  readonly username: string
  readonly displayName: string
  readonly email: string | null
  readonly avatar: string | null
}

/** Answers the id of the new user, or undefined when the person has a user already. */
export const insertTwitchUser = valueQuery<
  { id: number },
  [person: PlatformPerson & { now: Date }]
>(
  'add_twitch_user',
  `INSERT INTO users (twitch_id, username, display_name, twitch_display_name, email, avatar,
     created_at, updated_at)
   VALUES (:twitchId, :username, :displayName, :displayName, :email, :avatar, :now, :now)
   ON CONFLICT (twitch_id) DO NOTHING RETURNING id`,
)

// The display name and the email address are the user's own from the first sign-in on. A name that
// is given up stays known, so that a file with it can say whose it was.
/** Answers undefined when the user was deleted. */
export const refreshTwitchUser = rowQuery<
  { id: number; role: Role; isRenamed: boolean },
  [person: Omit<PlatformPerson, 'email'> & { now: Date }]
>(
  'refresh_twitch_user',
  `WITH before AS (
     SELECT id, username, twitch_display_name FROM users
     WHERE twitch_id = :twitchId AND deleted_at IS NULL
     FOR NO KEY UPDATE
   ), given_up AS (
     INSERT INTO former_usernames (user_id, username, until)
     SELECT id, username, :now::timestamptz FROM before WHERE username <> :username
     ON CONFLICT (user_id, username) DO UPDATE SET until = EXCLUDED.until
   ), taken_back AS (
     DELETE FROM former_usernames f USING before b WHERE f.user_id = b.id AND f.username = :username
   )
   UPDATE users u SET username = :username, avatar = :avatar, updated_at = :now,
     twitch_display_name = :displayName
   FROM before b WHERE u.id = b.id
   RETURNING u.id, u.role, (b.username, b.twitch_display_name) IS DISTINCT FROM
     (u.username, u.twitch_display_name) AS "isRenamed"`,
)

const renameLocalAdmin = valueQuery<{ id: number }, [username: string]>(
  'rename_protected_user',
  `UPDATE users SET username = $1 WHERE twitch_id = 'local-admin' RETURNING id`,
)

// Of two at once the second must wait for whichever unique index it meets first.
const insertLocalAdmin = valueQuery<{ id: number }, [username: string, now: Date]>(
  'add_protected_user',
  `INSERT INTO users (twitch_id, username, display_name, role, is_protected, created_at, updated_at)
   VALUES ('local-admin', $1, $1, 'super_user', true, $2, $2)
   ON CONFLICT DO NOTHING RETURNING id`,
)

/** The protected row behind the local sign-in, made when it is not there yet. */
export async function ensureLocalAdmin(tx: Queryable, username: string, now: Date) {
  return (
    (await renameLocalAdmin(tx, username)) ??
    (await insertLocalAdmin(tx, username, now)) ??
    (await renameLocalAdmin(tx, username))
  )
}

export interface DiscordLink {
  readonly linkedAt: Date | null
  readonly discordId: string | null
  readonly isEarningBlocked: boolean
  readonly suspendedUntil: Date | null
}

// The account is unique, so its change waits for what refers to the user, as leaving does.
/** Locks the row of somebody who has not left and answers which Discord account is linked. */
export const lockDiscordLink = rowQuery<DiscordLink, [userId: number]>(
  'lock_discord_link',
  `SELECT discord_id AS "discordId", discord_linked_at AS "linkedAt", is_earning_blocked AS "isEarningBlocked",
     suspended_until AS "suspendedUntil"
   FROM users WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`,
)

/** The user who has linked this Discord account. */
export const findByDiscordId = valueQuery<{ id: number }, [discordId: string]>(
  'find_user_by_discord',
  'SELECT id FROM users WHERE discord_id = $1 AND deleted_at IS NULL',
)

export interface LinkedAccount {
  readonly id: string | null
  readonly username: string | null
  readonly avatar: string | null
}

/** Sets or clears the linked account. @throws a unique violation when another user has it linked */
export const updateDiscord = writeQuery<[account: LinkedAccount & { userId: number; now: Date }]>(
  'set_discord_account',
  `UPDATE users SET discord_id = :id, discord_username = :username, discord_avatar = :avatar,
     discord_linked_at = CASE WHEN :id::text IS NOT NULL THEN :now::timestamptz END,
     updated_at = :now
   WHERE id = :userId`,
)

export interface LockedAccount {
  readonly role: Role
  readonly isProtected: boolean
  readonly isEarningBlocked: boolean
  readonly suspendedUntil: Date | null
  readonly username: string
  readonly twitchName: string | null
  /** What is shown. */
  readonly displayName: string
  /** What the person goes by while staff show another name; null while that is shown. */
  readonly ownName: string | null
  readonly isFlagged: boolean
}

/** Locks the row of somebody who has not left. */
export const lockAccountRow = rowQuery<LockedAccount, [userId: number]>(
  'lock_account_for_staff',
  `SELECT role, is_protected AS "isProtected", is_earning_blocked AS "isEarningBlocked",
     suspended_until AS "suspendedUntil", username, twitch_display_name AS "twitchName",
     display_name AS "displayName", own_name AS "ownName", is_name_flagged AS "isFlagged"
   FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
)

export const setRole = writeQuery<[userId: number, role: Role, now: Date]>(
  'write_role',
  'UPDATE users SET role = $2, updated_at = $3 WHERE id = $1 AND NOT is_protected',
)

export const setEarningBlock = writeQuery<[userId: number, isBlocked: boolean, now: Date]>(
  'write_earning_block',
  'UPDATE users SET is_earning_blocked = $2, updated_at = $3 WHERE id = $1 AND NOT is_protected',
)

export interface StoredSignIn {
  readonly userId: number
  readonly twitchId: string | null
  readonly tokens: SealedText
}

// Each names the tokens it has seen: who has signed in anew meanwhile is left alone.
const remove = existsQuery<[userId: number, tokens: SealedText]>(
  'remove_twitch_sign_in',
  'DELETE FROM twitch_sign_ins WHERE user_id = $1 AND tokens = $2::jsonb RETURNING user_id',
)
const endSessions = statement(
  'end_sessions',
  `DELETE FROM sessions WHERE user_id = $1 AND kind <> ALL($2::text[])`,
)
const endOfOtherPairs = valuesQuery<{ userId: number }, [marks: readonly string[]]>(
  'end_sessions_of_other_pairs',
  `DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE is_protected)
     AND kind = 'local' AND coalesce(pair_mark, '') <> ALL($1::text[])
   RETURNING user_id AS "userId"`,
)
const forgetDevices = statement(
  'forget_devices_of_user',
  'DELETE FROM push_subscriptions WHERE user_id = $1',
)
// Whoever signs in locks the row of their user first.
const lockTwitchUser = valueQuery<{ id: number }, [twitchId: string]>(
  'lock_twitch_user',
  'SELECT id FROM users WHERE twitch_id = $1 FOR NO KEY UPDATE',
)
const endOfTwitchUser = existsQuery<[userId: number, until: Date]>(
  'end_sign_in_of_twitch_user',
  `WITH gone AS (DELETE FROM twitch_sign_ins WHERE user_id = $1 AND checked_at <= $2)
   SELECT 1 AS newer FROM twitch_sign_ins WHERE user_id = $1 AND checked_at > $2`,
)

/** Keeps the tokens of the newest sign-in of a user; all their sessions stand on it. */
export const keepSignIn = writeQuery<[userId: number, tokens: SealedText, now: Date]>(
  'keep_twitch_sign_in',
  `INSERT INTO twitch_sign_ins (user_id, tokens, checked_at) VALUES ($1, $2::jsonb, $3)
   ON CONFLICT (user_id) DO UPDATE SET tokens = EXCLUDED.tokens, checked_at = EXCLUDED.checked_at`,
)

// A sign-in in the same moment is seen here sooner than its session.
/** Forgets the tokens, checked at `before` or earlier, of everybody who has no session any more. */
export const removeUnusedSignIns = writeQuery<[before: Date]>(
  'remove_unused_twitch_sign_ins',
  `DELETE FROM twitch_sign_ins t
   WHERE t.checked_at <= $1
     AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = t.user_id)`,
)

/** Sign-ins that were last checked at `before` or earlier, those that wait longest first. */
export const signInsToCheck = rowsQuery<StoredSignIn, [before: Date, limit: number]>(
  'read_twitch_sign_ins_to_check',
  `SELECT t.user_id AS "userId", u.twitch_id AS "twitchId", t.tokens
   FROM twitch_sign_ins t JOIN users u ON u.id = t.user_id
   WHERE t.checked_at <= $1 ORDER BY t.checked_at, t.user_id LIMIT $2`,
)

export const noteSignInChecked = writeQuery<[Omit<StoredSignIn, 'twitchId'> & { now: Date }]>(
  'note_twitch_sign_in_checked',
  'UPDATE twitch_sign_ins SET checked_at = :now WHERE user_id = :userId AND tokens = :tokens::jsonb',
)

export const replaceSignInTokens = writeQuery<
  [Omit<StoredSignIn, 'twitchId'> & { fresh: SealedText; now: Date }]
>(
  'replace_twitch_sign_in_tokens',
  `UPDATE twitch_sign_ins SET tokens = :fresh::jsonb, checked_at = :now
   WHERE user_id = :userId AND tokens = :tokens::jsonb`,
)

/**
 * Ends every session of a user but those of the kinds that are kept, and their devices show no news
 * any more. Whoever is adding one holds their session, so the devices are looked at after it.
 */
export async function endEverySession(
  tx: Queryable,
  userId: number,
  kept: readonly SessionKind[] = [],
): Promise<void> {
  await tx.run(endSessions, [userId, kept])
  await tx.run(forgetDevices, [userId])
}

/** Ends every session of the local account whose mark is none of these, with its devices. */
export async function endSessionsOfOtherPairs(tx: Queryable, marks: readonly string[]) {
  const userIds = new Set(await endOfOtherPairs(tx, marks))
  for (const userId of userIds) await tx.run(forgetDevices, [userId])
}

/** Ends a sign-in and the user's sessions; false when they have signed in anew meanwhile. */
export async function endSignIn(tx: Queryable, { userId, tokens }: StoredSignIn): Promise<boolean> {
  if (!(await remove(tx, userId, tokens))) return false
  await endEverySession(tx, userId, ['local'])
  return true
}

/** How far the clock of Twitch or Discord may be behind ours. */
export const clocksApartMillis = 5_000

/**
 * Ends the sign-in and the sessions of somebody by Twitch's number, who withdrew at `at`; answers
 * our user's. Does nothing when Twitch has vouched for them since.
 */
export async function endSignInOfTwitchUser(
  tx: Queryable,
  twitchId: string,
  at: Date,
): Promise<number | undefined> {
  const userId = await lockTwitchUser(tx, twitchId)
  if (userId === undefined) return undefined
  const until = new Date(at.getTime() + clocksApartMillis)
  if (await endOfTwitchUser(tx, userId, until)) return undefined
  await endEverySession(tx, userId, ['local'])
  return userId
}

export interface SecondFactorRow {
  readonly secret: SealedText
  /** Null while it is enrolled and does not count yet. */
  readonly confirmedAt: Date | null
}

const spendStep = existsQuery<[userId: number, step: number]>(
  'spend_time_step',
  `UPDATE second_factors SET last_step = $2
   WHERE user_id = $1 AND confirmed_at IS NOT NULL AND last_step < $2 RETURNING user_id`,
)
const spendRecovery = existsQuery<[userId: number, hash: string, now: Date]>(
  'spend_recovery_code',
  `UPDATE recovery_codes SET used_at = $3
   WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL RETURNING id`,
)
const removeCodes = statement(
  'remove_recovery_codes',
  'DELETE FROM recovery_codes WHERE user_id = $1',
)
const addCodes = statement(
  'add_recovery_codes',
  'INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::text[])',
)

export const readSecondFactor = rowQuery<SecondFactorRow, [userId: number]>(
  'read_second_factor',
  `SELECT secret, confirmed_at AS "confirmedAt" FROM second_factors WHERE user_id = $1`,
)

/**
 * The name of the local account, whose row it locks: a sign-in writes it first, so that one that
 * needed no code is over before it needs one. Undefined for others, who have no second factor.
 */
export const lockLocalAccount = valueQuery<{ username: string }, [userId: number]>(
  'lock_second_factor_account',
  `SELECT username FROM users WHERE id = $1 AND is_protected AND deleted_at IS NULL
   FOR NO KEY UPDATE`,
)

/** Keeps a new secret that does not count yet; false when one counts already. */
export const enrolSecret = existsQuery<[userId: number, secret: SealedText, now: Date]>(
  'put_second_factor',
  `INSERT INTO second_factors (user_id, secret, created_at) VALUES ($1, $2::jsonb, $3)
   ON CONFLICT (user_id) DO UPDATE SET secret = EXCLUDED.secret, last_step = 0,
     created_at = EXCLUDED.created_at
   WHERE second_factors.confirmed_at IS NULL
   RETURNING user_id`,
)

/** Makes the enrolled secret count; `step` is spent with it. False when another call was faster. */
export const confirmSecret = existsQuery<[userId: number, step: number, now: Date]>(
  'confirm_second_factor',
  `UPDATE second_factors SET confirmed_at = $3, last_step = $2
   WHERE user_id = $1 AND confirmed_at IS NULL RETURNING user_id`,
)

type Spent =
  | { readonly kind: 'step'; readonly step: number }
  | { readonly kind: 'recovery'; readonly hash: string }

/**
 * Uses up a code: a step that is newer than every one before, or a recovery code that is not used.
 * False for any other, so no code is good twice, also when it comes twice at once.
 */
export const spendCode = (tx: Queryable, userId: number, code: Spent, now: Date) =>
  code.kind === 'step'
    ? spendStep(tx, userId, code.step)
    : spendRecovery(tx, userId, code.hash, now)

export async function replaceRecoveryCodes(
  tx: Queryable,
  userId: number,
  hashes: readonly string[],
): Promise<void> {
  await tx.run(removeCodes, [userId])
  await tx.run(addCodes, [userId, hashes])
}

/** Removes the secret and the recovery codes. */
export const removeSecondFactor = writeQuery<[userId: number]>(
  'remove_second_factor',
  'DELETE FROM second_factors WHERE user_id = $1',
)
