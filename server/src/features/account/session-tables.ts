// The SQL that sessions are read with: the signed-in user, the session with its user in one read,
// and how its second factor stands.

import type { SecondFactorStatus, SessionUser } from '@redpack/contract'
import type { Queryable } from '../../adapters/db/database.ts'
import { oneQuery, rowQuery, rowsQuery } from '../../adapters/db/queries.ts'
import type { Role } from '../../rules/roles.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { anyList } from '../../shared/list-parameter-sql.ts'
import { suspensionOf } from '../../shared/standing-sql.ts'
import type { SessionKind } from './tables.ts'

const userColumns = `u.id, u.username, u.display_name AS "displayName", u.email, u.avatar, u.role,
  u.red_coin_balance AS "redCoinBalance", u.created_at AS "createdAt",
  u.solana_wallet AS "solanaWallet", u.discord_id AS "discordId",
  u.discord_username AS "discordUsername", u.discord_avatar AS "discordAvatar",
  ${suspensionOf('u')} AS suspension`

type UserRow = Dated<SessionUser, 'createdAt'>

/** A stored session, expired or not. */
export interface LiveSession {
  readonly sessionHash: string
  readonly kind: SessionKind
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly expiresAt: Date
  /** Of the user it belongs to. */
  readonly role: Role
}

type SessionRow = UserRow &
  Omit<LiveSession, 'createdAt' | 'role'> & { readonly sessionCreatedAt: Date }

const readUserRow = rowQuery<UserRow, [userId: number]>(
  'read_session_user',
  `SELECT ${userColumns} FROM users u WHERE u.id = $1 AND u.deleted_at IS NULL`,
)
const readSessionRows = rowsQuery<SessionRow, [sessionHashes: readonly string[]]>(
  'read_sessions_with_users',
  `SELECT ${userColumns}, s.token_hash AS "sessionHash", s.kind,
     s.created_at AS "sessionCreatedAt", s.last_seen_at AS "lastSeenAt",
     s.expires_at AS "expiresAt"
   FROM sessions s JOIN users u ON u.id = s.user_id
   WHERE s.token_hash = ANY(${anyList('$1', 'text')}) AND u.deleted_at IS NULL`,
)

/** A transaction that ends a session commits later than it has looked at the clock. */
const overlapSeconds = 15
const endedMax = 5_000
/** Half of the time that the rows are kept. */
const gapSecondsMax = 1_800
const readEnded = oneQuery<EndedSessions, [since: Date | null]>(
  'read_ended_sessions',
  `SELECT clock_timestamp() AS "asOf", ARRAY(
     SELECT token_hash FROM ended_sessions
     WHERE ended_at > coalesce($1::timestamptz, clock_timestamp())
       - interval '${overlapSeconds} seconds'
     ORDER BY ended_at DESC LIMIT ${endedMax}) AS "sessionHashes"`,
)

/** As of a moment on the database's clock. */
interface EndedSessions {
  readonly asOf: Date
  readonly sessionHashes: readonly string[]
}

export interface Confirmation {
  /** When the owner of the session was last asked for a code again, and had it. */
  readonly confirmedAt: Date | null
  readonly hasSecondFactor: boolean
}

/** Undefined when the session is gone. */
export const readConfirmation = rowQuery<Confirmation, [sessionHash: string]>(
  'read_session_confirmation',
  `SELECT s.confirmed_at AS "confirmedAt", f.confirmed_at IS NOT NULL AS "hasSecondFactor"
   FROM sessions s LEFT JOIN second_factors f ON f.user_id = s.user_id WHERE s.token_hash = $1`,
)

/** Those of the sessions that are there, expired or not. */
export const readSessions = rowsQuery<LiveSession, [sessionHashes: readonly string[]]>(
  'read_live_sessions',
  `SELECT s.token_hash AS "sessionHash", s.kind, s.created_at AS "createdAt",
     s.last_seen_at AS "lastSeenAt", s.expires_at AS "expiresAt", u.role
   FROM sessions s JOIN users u ON u.id = s.user_id
   WHERE s.token_hash = ANY($1::text[]) AND u.deleted_at IS NULL`,
)

/**
 * Sessions that have ended since an earlier answer's `asOf`, by the clock of the database; some are
 * told again. Without `since` those of the last seconds. Undefined when they are too many to tell,
 * or not known any more, so that every session has to be looked at.
 */
export async function readEndedSessions(db: Queryable, since: Date | undefined) {
  const row = await readEnded(db, since ?? null)
  if (row.sessionHashes.length === endedMax) return undefined
  const gapSeconds = since === undefined ? 0 : (row.asOf.getTime() - since.getTime()) / 1000
  return gapSeconds > gapSecondsMax ? undefined : row
}

/** The answer of `GET /api/auth/me`. */
export async function readSessionUser(db: Queryable, userId: number) {
  const row = await readUserRow(db, userId)
  return row && isoTimes(row)
}

/** The sessions with these hashes, expired or not, by hash; none whose user was deleted. */
export async function readSessionsWithUsers(db: Queryable, sessionHashes: readonly string[]) {
  const rows = await readSessionRows(db, sessionHashes)
  return new Map(
    rows.map(({ sessionHash, kind, sessionCreatedAt, lastSeenAt, expiresAt, ...user }) => {
      const times = { createdAt: sessionCreatedAt, lastSeenAt, expiresAt }
      const { id: userId, role } = user
      return [sessionHash, { sessionHash, kind, ...times, userId, role, user: isoTimes(user) }]
    }),
  )
}

const readStatus = rowQuery<Dated<SecondFactorStatus, 'enabledAt'>, [userId: number]>(
  'read_second_factor_status',
  `SELECT u.is_protected AS "isAvailable", f.confirmed_at IS NOT NULL AS "isEnabled",
     f.confirmed_at AS "enabledAt",
     (SELECT count(*)::int FROM recovery_codes c WHERE c.user_id = u.id AND c.used_at IS NULL)
       AS "recoveryCodesLeft"
   FROM users u LEFT JOIN second_factors f ON f.user_id = u.id WHERE u.id = $1`,
)

/** A secret that was not confirmed yet does not count. */
export async function secondFactorStatus(db: Queryable, userId: number) {
  const row = await readStatus(db, userId)
  return row === undefined
    ? { isAvailable: false, isEnabled: false, enabledAt: null, recoveryCodesLeft: 0 }
    : isoTimes(row)
}
