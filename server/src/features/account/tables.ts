// The SQL of signing in: sessions, sign-ins under way, and the users that signing in makes or
// changes.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { Role } from '../../rules/roles.ts'

export type SessionKind = 'player' | 'staff' | 'local'

export interface SessionRow {
  readonly tokenHash: string
  readonly userId: number
  readonly kind: SessionKind
  readonly createdAt: Date
  readonly expiresAt: Date
}

const addSession = statement(
  'add_session',
  `INSERT INTO sessions (token_hash, user_id, kind, created_at, last_seen_at, expires_at)
   VALUES ($1, $2, $3, $4, $4, $5)`,
)
const removeSession = statement(
  'remove_session',
  'DELETE FROM sessions WHERE token_hash = $1 RETURNING user_id AS "userId"',
)
const removeOthers = statement(
  'remove_other_sessions',
  `DELETE FROM sessions WHERE user_id = $1 AND token_hash <> $2
   RETURNING token_hash AS "tokenHash"`,
)
const confirmRow = statement(
  'confirm_session',
  'UPDATE sessions SET confirmed_at = $2 WHERE token_hash = $1 RETURNING 1 AS found',
)
const removeAll = statement(
  'remove_sessions_of_user',
  `DELETE FROM sessions WHERE user_id = $1
   RETURNING token_hash AS "tokenHash", created_at AS "createdAt"`,
)
const renewSession = statement(
  'renew_session',
  'UPDATE sessions SET last_seen_at = $2, expires_at = $3 WHERE token_hash = $1',
)
// A hundred at a time: cleaning up must not make one person's sign-in slow.
const removeExpiredSessions = statement(
  'remove_expired_sessions',
  `DELETE FROM sessions WHERE token_hash IN (
     SELECT token_hash FROM sessions WHERE expires_at <= $1
     ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)
   RETURNING 1 AS gone`,
)
const forgetEnded = statement(
  'forget_ended_sessions',
  `DELETE FROM ended_sessions WHERE token_hash IN (
     SELECT token_hash FROM ended_sessions
     WHERE ended_at < clock_timestamp() - interval '1 hour'
     ORDER BY ended_at LIMIT 500 FOR UPDATE SKIP LOCKED)
   RETURNING 1 AS gone`,
)

export async function insertSession(tx: Queryable, session: SessionRow): Promise<void> {
  const { tokenHash, userId, kind, createdAt, expiresAt } = session
  await tx.run(addSession, [tokenHash, userId, kind, createdAt, expiresAt])
}

/** Answers whose session it was, or undefined when there was none. */
export async function deleteSession(db: Queryable, tokenHash: string): Promise<number | undefined> {
  const rows = await db.run<{ userId: number }>(removeSession, [tokenHash])
  return rows[0]?.userId
}

/** Ends every session of a user but one and answers the hashes of those that ended. */
export async function deleteOtherSessions(
  tx: Queryable,
  userId: number,
  keptHash: string,
): Promise<string[]> {
  const rows = await tx.run<{ tokenHash: string }>(removeOthers, [userId, keptHash])
  return rows.map(({ tokenHash }) => tokenHash)
}

/** Notes that the owner of the session has just given a code; false when the session is gone. */
export async function markSessionConfirmed(
  tx: Queryable,
  tokenHash: string,
  now: Date,
): Promise<boolean> {
  return (await tx.run(confirmRow, [tokenHash, now])).length > 0
}

/** Ends every session of a user; answers those that ended. */
export async function deleteSessions(
  tx: Queryable,
  userId: number,
): Promise<{ tokenHash: string; createdAt: Date }[]> {
  return tx.run<{ tokenHash: string; createdAt: Date }>(removeAll, [userId])
}

export async function updateSession(
  db: Queryable,
  tokenHash: string,
  lastSeenAt: Date,
  expiresAt: Date,
): Promise<void> {
  await db.run(renewSession, [tokenHash, lastSeenAt, expiresAt])
}

/** Removes at most 100 expired sessions; answers how many. */
export async function deleteExpiredSessions(db: Queryable, now: Date): Promise<number> {
  return (await db.run(removeExpiredSessions, [now])).length
}

/** Forgets at most 500 of the sessions that ended more than an hour ago; answers how many. */
export async function deleteEndedSessions(db: Queryable): Promise<number> {
  return (await db.run(forgetEnded, [])).length
}

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

const addAttempt = statement(
  'add_sign_in_attempt',
  `INSERT INTO sign_in_attempts (state_hash, provider, browser_hash, nonce, user_id, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6)`,
)
const takeAttempt = statement(
  'take_sign_in_attempt',
  `DELETE FROM sign_in_attempts WHERE state_hash = $1 AND provider = $2
   RETURNING state_hash AS "stateHash", provider, browser_hash AS "browserHash", nonce,
     user_id AS "userId", expires_at AS "expiresAt"`,
)
const removeExpiredAttempts = statement(
  'remove_expired_sign_in_attempts',
  `DELETE FROM sign_in_attempts WHERE state_hash IN (
     SELECT state_hash FROM sign_in_attempts WHERE expires_at <= $1
     ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)
   RETURNING 1 AS gone`,
)

export async function insertAttempt(db: Queryable, attempt: SignInAttempt): Promise<void> {
  const { stateHash, provider, browserHash, nonce, userId, expiresAt } = attempt
  await db.run(addAttempt, [stateHash, provider, browserHash, nonce, userId, expiresAt])
}

/** Reads an attempt and removes it, so that a state is good for one callback only. */
export async function takeSignInAttempt(
  db: Queryable,
  provider: Provider,
  stateHash: string,
): Promise<SignInAttempt | undefined> {
  const rows = await db.run<SignInAttempt>(takeAttempt, [stateHash, provider])
  return rows[0]
}

/** Removes at most 100 attempts that nobody came back from; answers how many. */
export async function deleteExpiredAttempts(db: Queryable, now: Date): Promise<number> {
  return (await db.run(removeExpiredAttempts, [now])).length
}

export interface PlatformPerson {
  readonly twitchId: string
  readonly username: string
  readonly displayName: string
  readonly email: string | null
  readonly avatar: string | null
}

const addUser = statement(
  'add_twitch_user',
  `INSERT INTO users (twitch_id, username, display_name, twitch_display_name, email, avatar,
     created_at, updated_at)
   VALUES ($1, $2, $3, $3, $4, $5, $6, $6)
   ON CONFLICT (twitch_id) DO NOTHING RETURNING id`,
)
// The display name and the e-mail address are the user's own from the first sign-in on. A name that
// is given up stays known, so that a file with it can say whose it was.
const refreshUser = statement(
  'refresh_twitch_user',
  `WITH before AS (
     SELECT id, username FROM users WHERE twitch_id = $1 AND deleted_at IS NULL
     FOR NO KEY UPDATE
   ), given_up AS (
     INSERT INTO former_usernames (user_id, username, until)
     SELECT id, username, $4::timestamptz FROM before WHERE username <> $2
     ON CONFLICT (user_id, username) DO UPDATE SET until = EXCLUDED.until
   ), taken_back AS (
     DELETE FROM former_usernames f USING before b WHERE f.user_id = b.id AND f.username = $2
   )
   UPDATE users u SET username = $2, avatar = $3, updated_at = $4, twitch_display_name = $5
   FROM before b WHERE u.id = b.id RETURNING u.id, u.role`,
)

/** Answers the id of the new user, or undefined when the person has a user already. */
export async function insertTwitchUser(
  tx: Queryable,
  person: PlatformPerson,
  now: Date,
): Promise<number | undefined> {
  const { twitchId, username, displayName, email, avatar } = person
  const rows = await tx.run<{ id: number }>(addUser, [
    twitchId,
    username,
    displayName,
    email,
    avatar,
    now,
  ])
  return rows[0]?.id
}

/** Answers undefined when the user was deleted. */
export async function refreshTwitchUser(
  tx: Queryable,
  person: PlatformPerson,
  now: Date,
): Promise<{ id: number; role: Role } | undefined> {
  const rows = await tx.run<{ id: number; role: Role }>(refreshUser, [
    person.twitchId,
    person.username,
    person.avatar,
    now,
    person.displayName,
  ])
  return rows[0]
}

const localAdminTwitchId = 'local-admin'

const ensureProtectedUser = statement(
  'ensure_protected_user',
  `INSERT INTO users (twitch_id, username, display_name, role, is_protected, created_at, updated_at)
   VALUES ($1, $2, $2, 'super_user', true, $3, $3)
   ON CONFLICT (twitch_id) DO UPDATE SET username = EXCLUDED.username
   RETURNING id`,
)

/** The protected row behind the local sign-in, made when it is not there yet. */
export async function ensureLocalAdmin(
  tx: Queryable,
  username: string,
  now: Date,
): Promise<number | undefined> {
  const rows = await tx.run<{ id: number }>(ensureProtectedUser, [
    localAdminTwitchId,
    username,
    now,
  ])
  return rows[0]?.id
}

const lockLink = statement(
  'lock_discord_link',
  `SELECT discord_id AS "discordId", is_earning_blocked AS "isEarningBlocked" FROM users
   WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
)

export interface DiscordLink {
  readonly discordId: string | null
  readonly isEarningBlocked: boolean
}

/** Locks the row of somebody who has not left and answers which Discord account is linked. */
export async function lockDiscordLink(
  tx: Queryable,
  userId: number,
): Promise<DiscordLink | undefined> {
  return (await tx.run<DiscordLink>(lockLink, [userId]))[0]
}

const setDiscord = statement(
  'set_discord_account',
  `UPDATE users SET discord_id = $2, discord_username = $3, discord_avatar = $4, updated_at = $5
   WHERE id = $1`,
)

export interface LinkedAccount {
  readonly id: string | null
  readonly username: string | null
  readonly avatar: string | null
}

/** Sets or clears the linked account. @throws a unique violation when another user has it linked */
export async function updateDiscord(
  db: Queryable,
  userId: number,
  account: LinkedAccount,
  now: Date,
): Promise<void> {
  await db.run(setDiscord, [userId, account.id, account.username, account.avatar, now])
}
