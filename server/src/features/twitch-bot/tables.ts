// The SQL of the Twitch bot: its credentials, one row with its tokens sealed; what it has to say,
// and who is in the chat.

import {
  existsQuery,
  rowQuery,
  rowsQuery,
  valueQuery,
  writeQuery,
} from '../../adapters/db/queries.ts'
import { publicName } from '../../shared/standing-sql.ts'

/** Why credentials do not work: Twitch said no, or could not be asked yet. */
type BotProblem = 'rejected' | 'unchecked'

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

/** As `readCredentials`; nobody else changes them until the transaction ends. */
export const lockCredentials = rowQuery<StoredCredentials>(
  'lock_bot_credentials',
  `SELECT ${columns} FROM twitch_bot_credentials WHERE id = ${credentialsId} FOR UPDATE`,
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

/**
 * Has the chat hear of a completion, if the stream wants it and there is a bot. Congratulating
 * somebody an hour later would only puzzle them.
 */
export const announceCompletion = writeQuery<[completionId: number, streamId: number, now: Date]>(
  'announce_completion',
  `INSERT INTO outbox_messages (channel, place, kind, event, next_try_at, expires_at, created_at)
   SELECT 'chat', s.id::text, 'completion', 'completion-' || $1::int, $3,
     $3::timestamptz + interval '1 hour', $3
   FROM twitch_streams s
   WHERE s.id = $2 AND s.enable_chat_message
     AND EXISTS (SELECT 1 FROM twitch_bot_credentials c WHERE c.is_active)`,
)

interface ObservedStream {
  readonly streamId: number
  readonly twitchChannelId: string
}

/** In whose chat to say what. */
export const streamOf = rowQuery<
  Omit<ObservedStream, 'streamId'> & { readonly template: string },
  [streamId: number]
>(
  'read_talking_stream',
  `SELECT twitch_channel_id AS "twitchChannelId", completion_message AS template
   FROM twitch_streams WHERE id = $1`,
)

// The name that Twitch shows, or staff in its place; whoever has left is not named any more.
/** Those for whom a message speaks and, before its first try, those who wait in the same chat. */
export const peopleToName = rowsQuery<
  { id: number; name: string },
  [of: { id: number; lane: string; isFirst: boolean; limit: number }]
>(
  'read_people_to_name',
  `SELECT m.id, ${publicName('u', 'coalesce(u.twitch_display_name, u.username)')} AS name
   FROM outbox_messages m
   JOIN watch_completions c ON c.id = substr(m.event, length('completion-') + 1)::int
   JOIN users u ON u.id = c.user_id AND u.deleted_at IS NULL
   WHERE m.channel = 'chat' AND (m.id = :id OR m.bundled_into = :id
     OR (:isFirst AND m.lane = :lane AND m.state = 'waiting' AND m.bundled_into IS NULL
       AND m.attempts = 0))
   ORDER BY m.id LIMIT :limit`,
)

/** Lets go of those for whom a message does not speak after all. */
export const release = writeQuery<[id: number, spokenFor: readonly number[]]>(
  'release_from_bundle',
  `UPDATE outbox_messages SET bundled_into = NULL
   WHERE bundled_into = $1 AND id <> ALL ($2::bigint[])`,
)

/** When something was last said in a chat. */
export const lastSaid = valueQuery<{ at: Date }, [lane: string]>(
  'read_last_said',
  `SELECT sent_at AS at FROM outbox_messages
   WHERE channel = 'chat' AND lane = $1 AND state = 'sent' AND bundled_into IS NULL
   ORDER BY id DESC LIMIT 1 -- not null: at (what was sent has its time)`,
)

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
