// The SQL of the Twitch bot's credentials: one row, its tokens sealed.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { BotProblem } from '../../rules/chat-message.ts'

/** The only row there is. */
const credentialsId = 1

export interface StoredCredentials {
  readonly botUsername: string
  readonly botUserId: string
  readonly clientId: string
  /** Sealed texts as JSON. */
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly expiresAt: Date | null
  readonly scopes: string
  readonly isActive: boolean
  readonly checkedAt: Date | null
  readonly problem: BotProblem | null
}

const columns = `bot_username AS "botUsername", bot_user_id AS "botUserId",
  client_id AS "clientId", access_token AS "accessToken", refresh_token AS "refreshToken",
  expires_at AS "expiresAt", scopes, is_active AS "isActive", checked_at AS "checkedAt", problem`

const read = statement(
  'read_bot_credentials',
  `SELECT ${columns} FROM twitch_bot_credentials WHERE id = ${credentialsId}`,
)
const save = statement(
  'save_bot_credentials',
  `INSERT INTO twitch_bot_credentials (id, bot_username, bot_user_id, client_id, access_token,
     refresh_token, expires_at, scopes, is_active, checked_at, problem)
   VALUES (${credentialsId}, :botUsername, :botUserId, :clientId, :accessToken, :refreshToken,
     :expiresAt, :scopes, :isActive, :checkedAt, :problem)
   ON CONFLICT (id) DO UPDATE SET bot_username = EXCLUDED.bot_username,
     bot_user_id = EXCLUDED.bot_user_id, client_id = EXCLUDED.client_id,
     access_token = EXCLUDED.access_token, refresh_token = EXCLUDED.refresh_token,
     expires_at = EXCLUDED.expires_at, scopes = EXCLUDED.scopes, is_active = EXCLUDED.is_active,
     checked_at = EXCLUDED.checked_at, problem = EXCLUDED.problem, refresh_until = NULL`,
)
const remove = statement(
  'remove_bot_credentials',
  `DELETE FROM twitch_bot_credentials WHERE id = ${credentialsId} RETURNING ${columns}`,
)

export async function readCredentials(db: Queryable): Promise<StoredCredentials | undefined> {
  return (await db.run<StoredCredentials>(read, []))[0]
}

export async function saveCredentials(tx: Queryable, row: StoredCredentials): Promise<void> {
  await tx.run(save, {
    botUsername: row.botUsername,
    botUserId: row.botUserId,
    clientId: row.clientId,
    accessToken: row.accessToken,
    refreshToken: row.refreshToken,
    expiresAt: row.expiresAt,
    scopes: row.scopes,
    isActive: row.isActive,
    checkedAt: row.checkedAt,
    problem: row.problem,
  })
}

/** Answers what was removed. */
export async function removeCredentials(tx: Queryable): Promise<StoredCredentials | undefined> {
  return (await tx.run<StoredCredentials>(remove, []))[0]
}

// Each names the access token it has seen: what was saved or renewed meanwhile stays as it is.
const takeLease = statement(
  'take_bot_refresh',
  `UPDATE twitch_bot_credentials SET refresh_until = clock_timestamp() + interval '15 seconds'
   WHERE id = ${credentialsId} AND access_token = $1
     AND (refresh_until IS NULL OR refresh_until < clock_timestamp())
   RETURNING id`,
)
const giveLeaseBack = statement(
  'give_bot_refresh_back',
  `UPDATE twitch_bot_credentials SET refresh_until = NULL
   WHERE id = ${credentialsId} AND access_token = $1`,
)
const writeRefreshed = statement(
  'write_refreshed_bot_tokens',
  `UPDATE twitch_bot_credentials SET access_token = $2, refresh_token = $3, expires_at = $4,
     checked_at = $5, problem = NULL, refresh_until = NULL
   WHERE id = ${credentialsId} AND access_token = $1`,
)
const writeCheck = statement(
  'write_bot_check',
  `UPDATE twitch_bot_credentials SET scopes = $2, expires_at = $3, checked_at = $4, problem = NULL
   WHERE id = ${credentialsId} AND access_token = $1`,
)
const reject = statement(
  'reject_bot_credentials',
  `UPDATE twitch_bot_credentials SET is_active = false, problem = 'rejected', checked_at = $2,
     refresh_until = NULL
   WHERE id = ${credentialsId} AND access_token = $1`,
)

/** True for the one caller that may refresh this token, for 15 s. */
export async function takeRefresh(db: Queryable, accessToken: string): Promise<boolean> {
  return (await db.run(takeLease, [accessToken])).length === 1
}

export async function giveRefreshBack(db: Queryable, accessToken: string): Promise<void> {
  await db.run(giveLeaseBack, [accessToken])
}

export async function writeRefreshedTokens(
  db: Queryable,
  accessToken: string,
  fresh: Pick<StoredCredentials, 'accessToken' | 'refreshToken' | 'expiresAt'>,
  now: Date,
): Promise<void> {
  const { refreshToken, expiresAt } = fresh
  await db.run(writeRefreshed, [accessToken, fresh.accessToken, refreshToken, expiresAt, now])
}

export async function writeTokenCheck(
  db: Queryable,
  accessToken: string,
  facts: Pick<StoredCredentials, 'scopes' | 'expiresAt'>,
  now: Date,
): Promise<void> {
  await db.run(writeCheck, [accessToken, facts.scopes, facts.expiresAt, now])
}

/** Twitch takes the token no more: the bot stops until staff bring a new one. */
export async function rejectCredentials(
  db: Queryable,
  accessToken: string,
  now: Date,
): Promise<void> {
  await db.run(reject, [accessToken, now])
}
