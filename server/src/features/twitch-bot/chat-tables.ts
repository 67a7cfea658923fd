// The SQL of what the bot has to say, and of who is in the chat.

import { type Queryable, statement } from '../../adapters/db/database.ts'

const announce = statement(
  'announce_completion',
  `INSERT INTO chat_announcements (completion_id, stream_id, created_at)
   SELECT $1, s.id, $3 FROM twitch_streams s
   WHERE s.id = $2 AND s.enable_chat_message
     AND EXISTS (SELECT 1 FROM twitch_bot_credentials c WHERE c.is_active)`,
)

/** Has the chat hear of a completion, if the stream wants it and there is a bot. */
export async function announceCompletion(
  tx: Queryable,
  completionId: number,
  streamId: number,
  now: Date,
): Promise<void> {
  await tx.run(announce, [completionId, streamId, now])
}

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

const readTalking = statement(
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

/** Streams in whose chat something is to be said now. */
export async function talkingStreams(
  db: Queryable,
  now: Date,
  limit: number,
): Promise<TalkingStream[]> {
  return db.run<TalkingStream>(readTalking, [now, limit])
}

export interface WaitingMessage {
  readonly id: number
  readonly message: string
  readonly attempts: number
}

const readWaiting = statement(
  'read_waiting_chat_message',
  `SELECT id, message, attempts, next_try_at <= $2 AS "isDue" FROM chat_messages
   WHERE stream_id = $1 AND state = 'waiting' ORDER BY id LIMIT 1`,
)

/** The oldest message that was not said yet; one that is not due holds up those behind it. */
export async function waitingMessage(
  db: Queryable,
  streamId: number,
  now: Date,
): Promise<(WaitingMessage & { readonly isDue: boolean }) | undefined> {
  return (await db.run<WaitingMessage & { isDue: boolean }>(readWaiting, [streamId, now]))[0]
}

// The name that Twitch shows; whoever has left is not named any more.
const lockNames = statement(
  'lock_chat_announcements',
  `SELECT a.completion_id AS "completionId", coalesce(u.twitch_display_name, u.username) AS name,
     u.deleted_at IS NOT NULL AS "isGone"
   FROM chat_announcements a
   JOIN watch_completions c ON c.id = a.completion_id
   JOIN users u ON u.id = c.user_id
   WHERE a.stream_id = $1 AND a.chat_message_id IS NULL
   ORDER BY a.completion_id LIMIT $2 FOR UPDATE OF a`,
)
const dropOne = statement(
  'drop_chat_announcements',
  'DELETE FROM chat_announcements WHERE completion_id = ANY($1::int[])',
)
const addMessage = statement(
  'add_chat_message',
  `WITH added AS (
     INSERT INTO chat_messages (stream_id, message, next_try_at, created_at)
     VALUES ($1, $2, $3, $3) RETURNING id
   )
   UPDATE chat_announcements SET chat_message_id = added.id FROM added
   WHERE completion_id = ANY($4::int[])`,
)
const findSame = statement(
  'find_same_chat_message',
  `SELECT 1 AS found FROM chat_messages
   WHERE stream_id = $1 AND message = $2 AND tried_at > $3 LIMIT 1`,
)

export interface Announcement {
  readonly completionId: number
  readonly name: string
  readonly isGone: boolean
}

export async function lockAnnouncements(
  tx: Queryable,
  streamId: number,
  limit: number,
): Promise<Announcement[]> {
  return tx.run<Announcement>(lockNames, [streamId, limit])
}

export async function dropAnnouncements(tx: Queryable, ids: readonly number[]): Promise<void> {
  await tx.run(dropOne, [ids])
}

/** Makes the message that speaks for these completions. */
export async function addChatMessage(
  tx: Queryable,
  streamId: number,
  message: string,
  completionIds: readonly number[],
  now: Date,
): Promise<void> {
  await tx.run(addMessage, [streamId, message, now, completionIds])
}

/** True when the very same words were said, or tried, in this chat after `since`. */
export async function wasSent(
  tx: Queryable,
  streamId: number,
  message: string,
  since: Date,
): Promise<boolean> {
  return (await tx.run(findSame, [streamId, message, since])).length > 0
}

const noteTry = statement(
  'note_chat_try',
  `UPDATE chat_messages SET attempts = attempts + 1, tried_at = $2, next_try_at = $3
   WHERE id = $1 AND state = 'waiting' RETURNING id`,
)
const finish = statement(
  'finish_chat_message',
  'UPDATE chat_messages SET state = $2, reason = $3 WHERE id = $1',
)
const readLastTry = statement(
  'read_last_chat_try',
  'SELECT max(tried_at) AS at FROM chat_messages WHERE stream_id = $1',
)

/** Before the message goes out: when to try again should nothing be heard. */
export async function noteChatTry(
  db: Queryable,
  id: number,
  now: Date,
  nextTryAt: Date,
): Promise<boolean> {
  return (await db.run(noteTry, [id, now, nextTryAt])).length === 1
}

export async function finishChatMessage(
  db: Queryable,
  id: number,
  state: 'sent' | 'dropped',
  reason: string | undefined,
): Promise<void> {
  await db.run(finish, [id, state, reason ?? null])
}

export async function lastChatTry(db: Queryable, streamId: number): Promise<Date | null> {
  return (await db.run<{ at: Date | null }>(readLastTry, [streamId]))[0]?.at ?? null
}

const readObserved = statement(
  'read_observed_streams',
  `SELECT id AS "streamId", twitch_channel_id AS "twitchChannelId" FROM twitch_streams
   WHERE presence_mode <> 'off' AND is_live AND is_active AND archived_at IS NULL
   ORDER BY chatters_read_at NULLS FIRST, id LIMIT $1`,
)
const noteChatters = statement(
  'note_chatters',
  `WITH listed AS (
     UPDATE twitch_streams SET chatters_read_at = $3 WHERE id = $1
   )
   UPDATE viewer_sessions v SET chat_seen_at = $3
   FROM twitch_streams s, users u
   WHERE s.id = $1 AND v.stream_id = s.id AND v.stream_session_id = s.current_stream_id
     AND NOT v.is_completed AND u.id = v.user_id AND u.twitch_id = ANY($2::text[])`,
)

export type ObservedStream = Omit<TalkingStream, 'template'>

/** Live streams whose chatters are to be known, those that wait longest first. */
export async function observedStreams(db: Queryable, limit: number): Promise<ObservedStream[]> {
  return db.run<ObservedStream>(readObserved, [limit])
}

/** Notes who of those that watch now is in the chat; of everybody else nothing is kept. */
export async function noteChattersOf(
  db: Queryable,
  streamId: number,
  twitchIds: readonly string[],
  now: Date,
): Promise<void> {
  await db.run(noteChatters, [streamId, twitchIds, now])
}
