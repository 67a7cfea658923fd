// The SQL of whether streams are live.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { LiveState } from '../../rules/live-state.ts'

export interface StreamLive {
  readonly id: number
  readonly twitchChannelId: string
  readonly live: LiveState
}

const columns = `id, twitch_channel_id, is_live, current_stream_id, last_stream_id,
  platform_stream_id, stream_started_at, stream_ended_at, live_checked_at, live_missed_at,
  offline_hinted_at, is_live_by_hand`

interface Row {
  readonly id: number
  readonly twitch_channel_id: string
  readonly is_live: boolean
  readonly current_stream_id: string | null
  readonly last_stream_id: string | null
  readonly platform_stream_id: string | null
  readonly stream_started_at: Date | null
  readonly stream_ended_at: Date | null
  readonly live_checked_at: Date | null
  readonly live_missed_at: Date | null
  readonly offline_hinted_at: Date | null
  readonly is_live_by_hand: boolean
}

function streamLive(row: Row): StreamLive {
  return {
    id: row.id,
    twitchChannelId: row.twitch_channel_id,
    live: {
      isLive: row.is_live,
      currentStreamId: row.current_stream_id,
      lastStreamId: row.last_stream_id,
      platformStreamId: row.platform_stream_id,
      startedAt: row.stream_started_at,
      endedAt: row.stream_ended_at,
      checkedAt: row.live_checked_at,
      missedAt: row.live_missed_at,
      hintedAt: row.offline_hinted_at,
      isByHand: row.is_live_by_hand,
    },
  }
}

const readAll = statement(
  'read_streams_to_poll',
  `SELECT ${columns} FROM twitch_streams WHERE archived_at IS NULL ORDER BY id LIMIT $1`,
)
const lockOne = statement(
  'lock_stream_live',
  `SELECT ${columns} FROM twitch_streams WHERE id = $1 AND archived_at IS NULL FOR NO KEY UPDATE`,
)
const lockChannel = statement(
  'lock_channel_live',
  `SELECT ${columns} FROM twitch_streams WHERE twitch_channel_id = $1 AND archived_at IS NULL
   FOR NO KEY UPDATE`,
)

/** Every stream that is not deleted, at most `limit`. */
export async function streamsToPoll(db: Queryable, limit: number): Promise<StreamLive[]> {
  return (await db.run<Row>(readAll, [limit])).map(streamLive)
}

export async function lockStreamLive(tx: Queryable, id: number): Promise<StreamLive | undefined> {
  return (await tx.run<Row>(lockOne, [id])).map(streamLive)[0]
}

export async function lockChannelLive(
  tx: Queryable,
  twitchChannelId: string,
): Promise<StreamLive | undefined> {
  return (await tx.run<Row>(lockChannel, [twitchChannelId])).map(streamLive)[0]
}

const write = statement(
  'write_stream_live',
  `UPDATE twitch_streams SET is_live = :isLive, current_stream_id = :currentStreamId,
     last_stream_id = :lastStreamId, platform_stream_id = :platformStreamId,
     stream_started_at = :startedAt,
     stream_ended_at = :endedAt, live_checked_at = :checkedAt,
     live_missed_at = :missedAt, offline_hinted_at = :hintedAt, is_live_by_hand = :isByHand
   WHERE id = :id`,
)
const noteChecked = statement(
  'note_streams_checked',
  'UPDATE twitch_streams SET live_checked_at = $2 WHERE id = ANY($1::int[])',
)

export async function writeStreamLive(tx: Queryable, id: number, live: LiveState): Promise<void> {
  await tx.run(write, {
    id,
    isLive: live.isLive,
    currentStreamId: live.currentStreamId,
    lastStreamId: live.lastStreamId,
    platformStreamId: live.platformStreamId,
    startedAt: live.startedAt,
    endedAt: live.endedAt,
    checkedAt: live.checkedAt,
    missedAt: live.missedAt,
    hintedAt: live.hintedAt,
    isByHand: live.isByHand,
  })
}

/** Twitch has answered for these streams, and nothing about them has changed. */
export async function noteStreamsChecked(
  db: Queryable,
  ids: readonly number[],
  now: Date,
): Promise<void> {
  await db.run(noteChecked, [ids, now])
}

const addEvent = statement(
  'add_twitch_event',
  'INSERT INTO twitch_events (message_id, received_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
)
const removeEvents = statement(
  'remove_old_twitch_events',
  'DELETE FROM twitch_events WHERE received_at < $1',
)

/** False when the message has arrived before. */
export async function noteEvent(tx: Queryable, messageId: string, now: Date): Promise<boolean> {
  return (await tx.run(addEvent, [messageId, now])).length === 1
}

export async function removeOldEvents(db: Queryable, before: Date): Promise<void> {
  await db.run(removeEvents, [before])
}
