// The SQL of the Twitch bot: its credentials, one row with its tokens sealed; what it has to say,
// and who is in the chat.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { existsQuery, rowQuery, rowsQuery, writeQuery } from '../../adapters/db/queries.ts'
import type { BotProblem } from '../../rules/chat-message.ts'
import { publicName } from '../../shared/standing-sql.ts'

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

export const readCredentials = rowQuery<StoredCredentials>(
  'read_bot_credentials',
  `SELECT ${columns} FROM twitch_bot_credentials WHERE id = ${credentialsId}`,
)

export const saveCredentials = writeQuery<[row: StoredCredentials]>(
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

/** Answers what was removed. */
export const removeCredentials = rowQuery<StoredCredentials>(
  'remove_bot_credentials',
  `DELETE FROM twitch_bot_credentials WHERE id = ${credentialsId} RETURNING ${columns}`,
)

// Each names the access token it has seen: what was saved or renewed meanwhile stays as it is.
/** True for the one caller that may refresh this token, for 15 s. */
export const takeRefresh = existsQuery<[accessToken: string]>(
  'take_bot_refresh',
  `UPDATE twitch_bot_credentials SET refresh_until = clock_timestamp() + interval '15 seconds'
   WHERE id = ${credentialsId} AND access_token = $1
     AND (refresh_until IS NULL OR refresh_until < clock_timestamp())
   RETURNING id`,
)

export const giveRefreshBack = writeQuery<[accessToken: string]>(
  'give_bot_refresh_back',
  `UPDATE twitch_bot_credentials SET refresh_until = NULL
   WHERE id = ${credentialsId} AND access_token = $1`,
)

export const writeRefreshedTokens = writeQuery<
  [
    fresh: Pick<StoredCredentials, 'accessToken' | 'refreshToken' | 'expiresAt'> & {
      seen: string
      now: Date
    },
  ]
>(
  'write_refreshed_bot_tokens',
  `UPDATE twitch_bot_credentials SET access_token = :accessToken, refresh_token = :refreshToken,
     expires_at = :expiresAt, checked_at = :now, problem = NULL, refresh_until = NULL
   WHERE id = ${credentialsId} AND access_token = :seen`,
)

export const writeTokenCheck = writeQuery<
  [facts: Pick<StoredCredentials, 'scopes' | 'expiresAt'> & { seen: string; now: Date }]
>(
  'write_bot_check',
  `UPDATE twitch_bot_credentials SET scopes = :scopes, expires_at = :expiresAt, checked_at = :now,
     problem = NULL
   WHERE id = ${credentialsId} AND access_token = :seen`,
)

/** Twitch takes the token no more: the bot stops until staff bring a new one. */
export const rejectCredentials = writeQuery<[accessToken: string, now: Date]>(
  'reject_bot_credentials',
  `UPDATE twitch_bot_credentials SET is_active = false, problem = 'rejected', checked_at = $2,
     refresh_until = NULL
   WHERE id = ${credentialsId} AND access_token = $1`,
)

/** Has the chat hear of a completion, if the stream wants it and there is a bot. */
export const announceCompletion = writeQuery<[completionId: number, streamId: number, now: Date]>(
  'announce_completion',
  `INSERT INTO chat_announcements (completion_id, stream_id, created_at)
   SELECT $1, s.id, $3 FROM twitch_streams s
   WHERE s.id = $2 AND s.enable_chat_message
     AND EXISTS (SELECT 1 FROM twitch_bot_credentials c WHERE c.is_active)`,
)

const dropOld = statement(
  'drop_old_announcements',
  `DELETE FROM chat_announcements WHERE chat_message_id IS NULL AND created_at < $1`,
)
const expireMessages = statement(
  'expire_chat_messages',
  `UPDATE chat_messages SET state = 'dropped', reason = 'too_old'
   WHERE state = 'waiting' AND created_at < $1`,
)
const forgetAnnouncements = statement(
  'forget_chat_announcements',
  `DELETE FROM chat_announcements WHERE chat_message_id IN (
     SELECT id FROM chat_messages WHERE state <> 'waiting' AND created_at < $1)`,
)
const forgetMessages = statement(
  'forget_chat_messages',
  `DELETE FROM chat_messages WHERE state <> 'waiting' AND created_at < $1`,
)

/** What was not said by `saidBefore` is not said any more; what is over by `keptFrom` goes. */
export async function tidyChat(tx: Queryable, sentBefore: Date, keptFrom: Date): Promise<void> {
  await tx.run(dropOld, [sentBefore])
  await tx.run(expireMessages, [sentBefore])
  await tx.run(forgetAnnouncements, [keptFrom])
  await tx.run(forgetMessages, [keptFrom])
}

export interface TalkingStream {
  readonly streamId: number
  readonly twitchChannelId: string
  readonly template: string
}

/** Streams in whose chat something is to be said now. */
export const talkingStreams = rowsQuery<TalkingStream, [now: Date, limit: number]>(
  'read_streams_with_messages',
  `SELECT s.id AS "streamId", s.twitch_channel_id AS "twitchChannelId",
     s.completion_message AS template
   FROM twitch_streams s
   WHERE EXISTS (SELECT 1 FROM chat_announcements a
       WHERE a.stream_id = s.id AND a.chat_message_id IS NULL)
     OR EXISTS (SELECT 1 FROM chat_messages m
       WHERE m.stream_id = s.id AND m.state = 'waiting' AND m.next_try_at <= $1)
   ORDER BY s.id LIMIT $2`,
)

export interface WaitingMessage {
  readonly id: number
  readonly message: string
  readonly attempts: number
}

/** The oldest message that was not said yet; one that is not due holds up those behind it. */
export const waitingMessage = rowQuery<
  WaitingMessage & { isDue: boolean },
  [streamId: number, now: Date]
>(
  'read_waiting_chat_message',
  `SELECT id, message, attempts, next_try_at <= $2 AS "isDue" FROM chat_messages
   WHERE stream_id = $1 AND state = 'waiting' ORDER BY id LIMIT 1`,
)

export interface Announcement {
  readonly completionId: number
  readonly name: string
  readonly isGone: boolean
}

// The name that Twitch shows, or staff in its place; whoever has left is not named any more.
export const lockAnnouncements = rowsQuery<Announcement, [streamId: number, limit: number]>(
  'lock_chat_announcements',
  `SELECT a.completion_id AS "completionId", 
     ${publicName('u', 'coalesce(u.twitch_display_name, u.username)')} AS name,
     u.deleted_at IS NOT NULL AS "isGone"
   FROM chat_announcements a
   JOIN watch_completions c ON c.id = a.completion_id
   JOIN users u ON u.id = c.user_id
   WHERE a.stream_id = $1 AND a.chat_message_id IS NULL
   ORDER BY a.completion_id LIMIT $2 FOR UPDATE OF a`,
)

export const dropAnnouncements = writeQuery<[ids: readonly number[]]>(
  'drop_chat_announcements',
  'DELETE FROM chat_announcements WHERE completion_id = ANY($1::int[])',
)

/** Makes the message that speaks for these completions. */
export const addChatMessage = writeQuery<
  [streamId: number, message: string, completionIds: readonly number[], now: Date]
>(
  'add_chat_message',
  `WITH added AS (
     INSERT INTO chat_messages (stream_id, message, next_try_at, created_at)
     VALUES ($1, $2, $4, $4) RETURNING id
   )
   UPDATE chat_announcements SET chat_message_id = added.id FROM added
   WHERE completion_id = ANY($3::int[])`,
)

/** True when the very same words were said, or tried, in this chat after `since`. */
export const wasSent = existsQuery<[streamId: number, message: string, since: Date]>(
  'find_same_chat_message',
  `SELECT 1 AS found FROM chat_messages
   WHERE stream_id = $1 AND message = $2 AND tried_at > $3 LIMIT 1`,
)

const readLastTry = statement(
  'read_last_chat_try',
  'SELECT max(tried_at) AS at FROM chat_messages WHERE stream_id = $1',
)

/** Before the message goes out: when to try again should nothing be heard. */
export const noteChatTry = existsQuery<[id: number, now: Date, nextTryAt: Date]>(
  'note_chat_try',
  `UPDATE chat_messages SET attempts = attempts + 1, tried_at = $2, next_try_at = $3
   WHERE id = $1 AND state = 'waiting' RETURNING id`,
)

export const finishChatMessage = writeQuery<
  [id: number, state: 'sent' | 'dropped', reason: string | undefined]
>('finish_chat_message', 'UPDATE chat_messages SET state = $2, reason = $3 WHERE id = $1')

export async function lastChatTry(db: Queryable, streamId: number): Promise<Date | null> {
  return (await db.run<{ at: Date | null }>(readLastTry, [streamId]))[0]?.at ?? null
}

export type ObservedStream = Omit<TalkingStream, 'template'>

/** Live streams whose chatters are to be known, those that wait longest first. */
export const observedStreams = rowsQuery<ObservedStream, [limit: number]>(
  'read_observed_streams',
  `SELECT id AS "streamId", twitch_channel_id AS "twitchChannelId" FROM twitch_streams
   WHERE presence_mode <> 'off' AND is_live AND is_active AND archived_at IS NULL
   ORDER BY chatters_read_at NULLS FIRST, id LIMIT $1`,
)

/** Notes who of those that watch now is in the chat; of everybody else nothing is kept. */
export const noteChattersOf = writeQuery<
  [streamId: number, twitchIds: readonly string[], now: Date]
>(
  'note_chatters',
  `WITH listed AS (
     UPDATE twitch_streams SET chatters_read_at = $3 WHERE id = $1
   )
   UPDATE viewer_sessions v SET chat_seen_at = $3
   FROM twitch_streams s, users u
   WHERE s.id = $1 AND v.stream_id = s.id AND v.stream_session_id = s.current_stream_id
     AND NOT v.is_completed AND u.id = v.user_id AND u.twitch_id = ANY($2::text[])`,
)
