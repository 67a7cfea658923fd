// The SQL of what people see and change of their own account, and of users and notes as staff see
// them after a change.

import type {
  AdminUser,
  Profile,
  StaffNote,
  UpdateProfileRequest,
  WalletStatus,
} from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import {
  existsQuery,
  oneQuery,
  oneValueQuery,
  rowQuery,
  valueQuery,
  valuesQuery,
} from '../../adapters/db/queries.ts'
import { existing, signedOut } from '../../shared/domain-error.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { noteColumns, usersText } from './users-sql.ts'

const readUsers = oneValueQuery<{ users: string }, [ids: readonly number[]]>(
  'read_admin_user',
  usersText,
)

/** A user as staff see them. @throws DomainError not_found, also for somebody who has left */
export async function adminUser(db: Queryable, userId: number): Promise<AdminUser> {
  const [user]: AdminUser[] = JSON.parse(await readUsers(db, [userId]))
  return existing(user, 'User not found')
}

const readProfile = rowQuery<ProfileRow, [userId: number]>(
  'read_own_profile',
  `SELECT id, username, coalesce(own_name, display_name) AS "displayName", email, avatar, bio,
     country, timezone, notifications, solana_wallet AS "solanaWallet", discord_id AS "discordId",
     discord_username AS "discordUsername", discord_avatar AS "discordAvatar", role,
     red_coin_balance AS "redCoinBalance", created_at AS "createdAt",
     CASE WHEN own_name IS NOT NULL THEN display_name END AS "shownName"
   FROM users WHERE id = $1 AND deleted_at IS NULL`,
)

type ProfileRow = Omit<Dated<Profile, 'createdAt'>, 'notifications'> & {
  readonly notifications: Partial<Profile['notifications']>
}

/** @throws DomainError unauthorized when the account is gone since the caller was recognised */
export async function profileOf(db: Queryable, userId: number): Promise<Profile> {
  const row = await readProfile(db, userId)
  if (row === undefined) throw signedOut()
  // Every switch starts switched on; a row may name only some of them.
  const { email, prizes, rewards } = row.notifications
  return {
    ...isoTimes(row),
    notifications: { email: email ?? true, prizes: prizes ?? true, rewards: rewards ?? true },
  }
}

const readWallet = rowQuery<Dated<WalletStatus, 'verifiedAt'>, [userId: number]>(
  'read_wallet_status',
  `SELECT solana_wallet AS "walletAddress", solana_wallet_verified_at AS "verifiedAt" FROM users
   WHERE id = $1 AND deleted_at IS NULL`,
)

/** @throws DomainError unauthorized when the account is gone */
export async function walletStatus(db: Queryable, userId: number): Promise<WalletStatus> {
  const row = await readWallet(db, userId)
  if (row === undefined) throw signedOut()
  return isoTimes(row)
}

// While staff show another name, the person's own changes unseen. Proof of ownership belongs to the
// address it was given for.
const updateProfile = statement(
  'update_profile',
  `UPDATE users SET
     display_name = CASE WHEN 'displayName' = ANY(given.names) AND own_name IS NULL
       THEN :displayName ELSE display_name END,
     own_name = CASE WHEN 'displayName' = ANY(given.names) AND own_name IS NOT NULL
       THEN :displayName ELSE own_name END,
     email = CASE WHEN 'email' = ANY(given.names) THEN :email ELSE email END,
     bio = CASE WHEN 'bio' = ANY(given.names) THEN :bio ELSE bio END,
     country = CASE WHEN 'country' = ANY(given.names) THEN :country ELSE country END,
     timezone = CASE WHEN 'timezone' = ANY(given.names) THEN :timezone ELSE timezone END,
     notifications = notifications || coalesce(:notifications::jsonb, '{}'),
     solana_wallet = CASE WHEN 'solanaWallet' = ANY(given.names) THEN :solanaWallet
       ELSE solana_wallet END,
     solana_wallet_verified_at = CASE WHEN 'solanaWallet' <> ALL(given.names)
       OR solana_wallet = :solanaWallet THEN solana_wallet_verified_at END,
     updated_at = :now
   FROM (SELECT :given::text[] AS names) given
   WHERE id = :userId AND deleted_at IS NULL
   RETURNING id`,
)

/**
 * Writes exactly the seven fields, whatever else the object carries: an absent one stays as it is,
 * null clears it, notifications are merged into what is stored. Answers false when nobody is there.
 */
export async function writeProfile(
  db: Queryable,
  userId: number,
  changes: UpdateProfileRequest,
  now: Date,
): Promise<boolean> {
  const { displayName, email, bio, country, timezone, notifications, solanaWallet } = changes
  const texts = { displayName, email, bio, country, timezone, solanaWallet }
  const given = Object.entries(texts).filter(([, value]) => value !== undefined)
  const rows = await db.run(updateProfile, {
    ...texts,
    notifications: notifications && JSON.stringify(notifications),
    given: given.map(([name]) => name),
    now,
    userId,
  })
  return rows.length > 0
}

export interface WalletChallengeRow {
  readonly userId: number
  readonly sessionHash: string
  readonly address: string
  readonly message: string
  readonly expiresAt: Date
}

const lockHolders = statement(
  'lock_wallet_holders',
  `SELECT id FROM users WHERE id = $1 OR solana_wallet = $2 ORDER BY id FOR NO KEY UPDATE`,
)
const clearUnproven = valuesQuery<{ id: number }, [userId: number, address: string, now: Date]>(
  'clear_unproven_wallets',
  `UPDATE users SET solana_wallet = NULL, updated_at = $3
   WHERE solana_wallet = $2 AND id <> $1 AND solana_wallet_verified_at IS NULL RETURNING id`,
)
const setProven = valuesQuery<{ id: number }, [userId: number, address: string, now: Date]>(
  'set_proven_wallet',
  `UPDATE users SET solana_wallet = $2, solana_wallet_verified_at = $3, updated_at = $3
   WHERE id = $1 AND deleted_at IS NULL RETURNING id`,
)

/** Keeps one challenge per user; a new one replaces the old. False when the user has left. */
export const putWalletChallenge = existsQuery<[row: WalletChallengeRow]>(
  'put_wallet_challenge',
  `INSERT INTO wallet_challenges (user_id, session_hash, address, message, expires_at)
   SELECT id, :sessionHash, :address, :message, :expiresAt::timestamptz
   FROM users WHERE id = :userId AND deleted_at IS NULL FOR SHARE
   ON CONFLICT (user_id) DO UPDATE SET session_hash = EXCLUDED.session_hash,
     address = EXCLUDED.address, message = EXCLUDED.message, expires_at = EXCLUDED.expires_at
   RETURNING user_id`,
)

/** Reads the user's challenge and removes it, so that it is good for one attempt. */
export const takeWalletChallenge = rowQuery<WalletChallengeRow, [userId: number]>(
  'take_wallet_challenge',
  `DELETE FROM wallet_challenges WHERE user_id = $1
   RETURNING user_id AS "userId", session_hash AS "sessionHash", address, message,
     expires_at AS "expiresAt"`,
)

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
  const cleared = await clearUnproven(tx, userId, address, now)
  const written = await setProven(tx, userId, address, now)
  return written.length === 0 ? [] : [...written, ...cleared]
}

/** Moves the mark forward, never back; answers where it stands, undefined when nobody is there. */
export const writeReadUntil = valueQuery<
  { notices_read_at: Date },
  [userId: number, readUntil: Date]
>(
  'set_notices_read',
  `-- not null: notices_read_at (it is written here)
   UPDATE users SET notices_read_at = greatest(notices_read_at, $2)
   WHERE id = $1 AND deleted_at IS NULL RETURNING notices_read_at`,
)

/** Answers the id of the note, or undefined when there is no such user. */
export const insertNote = valueQuery<
  { id: number },
  [note: { userId: number; authorId: number; body: string; now: Date }]
>(
  'add_staff_note',
  `INSERT INTO staff_notes (user_id, author_id, body, created_at)
   SELECT id, :authorId, :body, :now FROM users WHERE id = :userId AND deleted_at IS NULL
   FOR KEY SHARE RETURNING id`,
)

const readNote = oneQuery<Dated<StaffNote, 'createdAt'>, [noteId: number]>(
  'read_note',
  `SELECT ${noteColumns} FROM staff_notes n JOIN users u ON u.id = n.author_id WHERE n.id = $1`,
)

/** A note that was just written. */
export async function noteById(db: Queryable, noteId: number): Promise<StaffNote> {
  return isoTimes(await readNote(db, noteId))
}

/** Answers whom the note was about, or undefined when there was none. */
export const deleteNote = valueQuery<{ userId: number }, [noteId: number]>(
  'remove_staff_note',
  'DELETE FROM staff_notes WHERE id = $1 RETURNING user_id AS "userId"',
)

/** Answers false when nobody is there. */
export const writeVisibility = existsQuery<[userId: number, isHidden: boolean, now: Date]>(
  'set_hidden_from_leaderboard',
  `UPDATE users SET is_hidden_from_leaderboard = $2, updated_at = $3
   WHERE id = $1 AND deleted_at IS NULL RETURNING id`,
)
