// The SQL of streams: as staff keep them with their rewards, and whether they are live.

import type { AdminStream, CreateStreamRequest } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import {
  existsQuery,
  rowQuery,
  rowsQuery,
  valueQuery,
  valuesQuery,
  writeQuery,
} from '../../adapters/db/queries.ts'
import type { LiveState } from '../../rules/live-state.ts'
import type { RewardRow } from '../../rules/watch-time.ts'
import { assigned, type Columns, inserted, selected } from '../../shared/columns-sql.ts'
import { rewardsOfStream } from './watch-sql.ts'

type OwnPacks = 'rewardPackTypeId' | 'rewardPackQuantity'

/** What staff enter of a stream but for its rows of rewards. */
export interface StreamFields
  extends Omit<
      CreateStreamRequest,
      OwnPacks | 'scheduledStartTime' | 'scheduledEndTime' | 'rewards'
    >,
    Pick<AdminStream, OwnPacks> {
  readonly scheduledStartTime: Date | null
  readonly scheduledEndTime: Date | null
  /** The edge of the schedule that was applied last. */
  readonly scheduleEdgeAt: Date | null
}

export type RewardFields = Omit<RewardRow, 'packTypeName'>

/** Columns by the names of their values. */
const columns = {
  displayName: 'display_name',
  channelName: 'channel_name',
  twitchChannelId: 'twitch_channel_id',
  channelUrl: 'channel_url',
  watchSecondsRequired: 'watch_time_required',
  completionMessage: 'completion_message',
  enableChatMessage: 'enable_chat_message',
  autoScheduleEnabled: 'auto_schedule_enabled',
  scheduledStartTime: 'scheduled_start_time',
  scheduledEndTime: 'scheduled_end_time',
  scheduleEdgeAt: 'schedule_edge_at',
  isActive: 'is_active',
  rewardPackTypeId: 'reward_pack_type_id',
  rewardPackQuantity: 'reward_pack_quantity',
  rewardRedCoinAmount: 'reward_red_coin_amount',
  presenceMode: 'presence_mode',
} satisfies Columns<StreamFields>

/** @throws a unique violation when another stream has the channel */
export const insertStream = valueQuery<{ id: number }, [fields: StreamFields & { now: Date }]>(
  'add_stream',
  `INSERT INTO twitch_streams ${inserted(columns)} RETURNING id`,
)

/** @throws a unique violation when another stream has the channel */
export const updateStream = writeQuery<[fields: StreamFields & { id: number; now: Date }]>(
  'change_stream',
  `UPDATE twitch_streams SET ${assigned(columns)}, updated_at = :now WHERE id = :id`,
)

/** Locks a stream, deleted or not as asked for; undefined when there is none. */
export const lockStream = rowQuery<StreamFields, [{ id: number; isDeleted: boolean }]>(
  'lock_stream',
  `SELECT ${selected(columns, 's')} FROM twitch_streams s
   WHERE id = :id AND (archived_at IS NOT NULL) = :isDeleted FOR NO KEY UPDATE`,
)

const rewardRows = `(
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'streamId', s.id,
    'packTypeId', r.pack_type_id, 'packQuantity', r.pack_quantity, 'quantity', r.pack_quantity,
    'redCoinAmount', r.red_coin_amount,
    'packType', CASE WHEN t.id IS NULL THEN NULL
      ELSE jsonb_build_object('id', t.id, 'name', t.name) END) ORDER BY r.id), '[]')
  FROM ${rewardsOfStream('s.id')} r LEFT JOIN pack_types t ON t.id = r.pack_type_id)`
const liveStreams = `SELECT id, ${selected(columns, 's')}, is_live AS "isLive",
     current_stream_id AS "currentStreamId", stream_started_at AS "streamStartedAt",
     stream_ended_at AS "streamEndedAt", chatters_read_at AS "chattersReadAt",
     is_live_by_hand AS "isLiveByHand", live_checked_at AS "liveCheckedAt", ${rewardRows} AS rewards
   FROM twitch_streams s WHERE archived_at IS NULL`
const streamsMax = 5_000

/** A stream as staff are shown it. */
export interface StreamRow
  extends StreamFields,
    Pick<AdminStream, 'id' | 'isLive' | 'currentStreamId' | 'isLiveByHand' | 'rewards'> {
  readonly streamStartedAt: Date | null
  readonly streamEndedAt: Date | null
  readonly chattersReadAt: Date | null
  readonly liveCheckedAt: Date | null
}

/** Every stream that is not deleted. */
export const readLiveStreams = rowsQuery<StreamRow>(
  'read_admin_streams',
  `${liveStreams} ORDER BY id LIMIT ${streamsMax}`,
)
export const readLiveStream = rowQuery<StreamRow, [id: number]>(
  'read_admin_stream',
  `${liveStreams} AND id = $1`,
)

const removeRewards = statement(
  'remove_stream_rewards',
  'DELETE FROM stream_rewards WHERE stream_id = $1',
)
const addRewards = statement(
  'add_stream_rewards',
  `INSERT INTO stream_rewards (stream_id, pack_type_id, pack_quantity, red_coin_amount)
   SELECT $1, r.pack_type_id, r.pack_quantity, r.red_coin_amount
   FROM unnest($2::int[], $3::int[], $4::bigint[]) WITH ORDINALITY
     AS r (pack_type_id, pack_quantity, red_coin_amount, place) ORDER BY r.place`,
)

export const rewardsOf = rowsQuery<RewardFields, [streamId: number]>(
  'read_stream_reward_fields',
  `SELECT pack_type_id AS "packTypeId", pack_quantity AS "packQuantity",
     red_coin_amount AS "redCoinAmount" FROM ${rewardsOfStream('$1')} r ORDER BY id`,
)

export async function replaceRewards(
  tx: Queryable,
  streamId: number,
  rewards: readonly RewardFields[],
): Promise<void> {
  await tx.run(removeRewards, [streamId])
  await tx.run(addRewards, [
    streamId,
    rewards.map(({ packTypeId }) => packTypeId),
    rewards.map(({ packQuantity }) => packQuantity),
    rewards.map(({ redCoinAmount }) => redCoinAmount),
  ])
}

const holdPackTypes = statement(
  'hold_pack_types_of_stream',
  `SELECT id FROM pack_types WHERE id = ANY($1::int[]) AND archived_at IS NULL
   ORDER BY id FOR KEY SHARE`,
)

/**
 * True when none of these pack types is deleted, null standing for none; they stay so until the
 * transaction ends.
 */
export async function holdPackTypesOfStream(
  tx: Queryable,
  named: readonly (number | null | undefined)[],
): Promise<boolean> {
  const ids = [...new Set(named.filter((id) => id !== null && id !== undefined))]
  return ids.length === 0 || (await tx.run(holdPackTypes, [ids])).length === ids.length
}

const readChannel = rowQuery<{ channel: string; archivedAt: Date }, [id: number]>(
  'read_channel_of_deleted_stream',
  `-- not null: archivedAt (see WHERE)
   SELECT split_part(twitch_channel_id, '#deleted-', 1) AS channel, archived_at AS "archivedAt"
   FROM twitch_streams WHERE id = $1 AND archived_at IS NOT NULL`,
)
const bringBack = statement(
  'restore_stream',
  `UPDATE twitch_streams SET archived_at = NULL, updated_at = $2,
     twitch_channel_id = $3 WHERE id = $1`,
)
/** Deleted streams give their channel up to a stream, which is a new one when it has no id yet. */
export const freeDeletedChannel = writeQuery<[twitchChannelId: string, forId: number]>(
  'free_channel_of_deleted_stream',
  `UPDATE twitch_streams SET twitch_channel_id = twitch_channel_id || '#deleted-' || id
   WHERE twitch_channel_id = $1 AND archived_at IS NOT NULL AND id <> $2`,
)

// A deleted stream keeps its rows for its completions, and for whoever wants it back.
export const archiveStream = writeQuery<[id: number, now: Date]>(
  'archive_stream',
  'UPDATE twitch_streams SET archived_at = $2, updated_at = $2 WHERE id = $1',
)

/**
 * Answers when the stream, which is locked, was deleted.
 * @throws a unique violation when another stream has taken the channel
 */
export async function restoreArchived(tx: Queryable, id: number, now: Date): Promise<Date> {
  const { channel, archivedAt } = (await readChannel(tx, id)) ?? { channel: '', archivedAt: now }
  await freeDeletedChannel(tx, channel, id)
  await tx.run(bringBack, [id, now, channel])
  return archivedAt
}

const findOld = valuesQuery<{ id: number }, [before: Date, limit: number]>(
  'find_old_deleted_streams',
  `SELECT s.id FROM twitch_streams s
   WHERE s.archived_at < $1
     AND NOT EXISTS (SELECT 1 FROM watch_completions c WHERE c.stream_id = s.id)
   ORDER BY s.id LIMIT $2 FOR UPDATE SKIP LOCKED`,
)
const removeSessions = statement(
  'remove_sessions_of_deleted_streams',
  'DELETE FROM viewer_sessions WHERE stream_id = ANY($1::int[])',
)
const removeStreams = statement(
  'remove_deleted_streams',
  'DELETE FROM twitch_streams WHERE id = ANY($1::int[])',
)

/** Removes streams deleted before a time that nobody has completed; answers how many. */
export async function removeOldStreams(
  tx: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const ids = await findOld(tx, before, limit)
  if (ids.length === 0) return 0
  await tx.run(removeSessions, [ids])
  await tx.run(removeStreams, [ids])
  return ids.length
}

export interface ScheduledStream {
  readonly id: number
  readonly startsAt: Date
  readonly endsAt: Date | null
  readonly edgeAt: Date | null
}

/** Locks the streams that have an edge to apply. */
export const lockScheduledStreams = rowsQuery<ScheduledStream, [now: Date, limit: number]>(
  'lock_scheduled_streams',
  `-- not null: startsAt (see WHERE)
   SELECT id, scheduled_start_time AS "startsAt", scheduled_end_time AS "endsAt",
     schedule_edge_at AS "edgeAt"
   FROM twitch_streams
   WHERE auto_schedule_enabled AND archived_at IS NULL AND scheduled_start_time <= $1
     AND scheduled_end_time IS NOT NULL
     AND schedule_edge_at IS DISTINCT FROM
       CASE WHEN scheduled_end_time <= $1 THEN scheduled_end_time ELSE scheduled_start_time END
   ORDER BY id LIMIT $2 FOR NO KEY UPDATE`,
)

export const applyScheduleEdge = writeQuery<
  [edge: { id: number; isActive: boolean; edgeAt: Date; now: Date }]
>(
  'apply_schedule_edge',
  `UPDATE twitch_streams SET is_active = :isActive, schedule_edge_at = :edgeAt, updated_at = :now
   WHERE id = :id`,
)

export interface StreamLive extends LiveState {
  readonly id: number
  readonly twitchChannelId: string
}

const liveColumns = {
  isLive: 'is_live',
  currentStreamId: 'current_stream_id',
  lastStreamId: 'last_stream_id',
  platformStreamId: 'platform_stream_id',
  startedAt: 'stream_started_at',
  endedAt: 'stream_ended_at',
  checkedAt: 'live_checked_at',
  missedAt: 'live_missed_at',
  hintedAt: 'offline_hinted_at',
  isByHand: 'is_live_by_hand',
} satisfies Columns<LiveState>
const readLive = `SELECT id, twitch_channel_id AS "twitchChannelId", ${selected(liveColumns, 's')}
   FROM twitch_streams s WHERE archived_at IS NULL`

/** Every stream that is not deleted, at most `limit`. */
export const streamsToPoll = rowsQuery<StreamLive, [limit: number]>(
  'read_streams_to_poll',
  `${readLive} ORDER BY id LIMIT $1`,
)

export const lockStreamLive = rowQuery<StreamLive, [id: number]>(
  'lock_stream_live',
  `${readLive} AND id = $1 FOR NO KEY UPDATE`,
)

export const lockChannelLive = rowQuery<StreamLive, [twitchChannelId: string]>(
  'lock_channel_live',
  `${readLive} AND twitch_channel_id = $1 FOR NO KEY UPDATE`,
)

export const writeStreamLive = writeQuery<[live: LiveState & { id: number }]>(
  'write_stream_live',
  `UPDATE twitch_streams SET ${assigned(liveColumns)} WHERE id = :id`,
)

/** Twitch has answered for these streams, and nothing about them has changed. */
export const noteStreamsChecked = writeQuery<[ids: readonly number[], now: Date]>(
  'note_streams_checked',
  'UPDATE twitch_streams SET live_checked_at = $2 WHERE id = ANY($1::int[])',
)

/** Channels whose picture was never asked for, or not since a time. */
export const channelsToPicture = rowsQuery<{ channelId: string }, [before: Date, limit: number]>(
  'read_channels_to_picture',
  `SELECT s.twitch_channel_id AS "channelId"
   FROM twitch_streams s LEFT JOIN channel_pictures p ON p.channel_id = s.twitch_channel_id
   WHERE s.archived_at IS NULL AND s.twitch_channel_id ~ '^[0-9]+$'
     AND (p.asked_at IS NULL OR p.asked_at < $1)
   ORDER BY s.id LIMIT $2`,
)

export const writeChannelPictures = writeQuery<
  [channelIds: readonly string[], addresses: readonly (string | null)[], now: Date]
>(
  'write_channel_pictures',
  `INSERT INTO channel_pictures (channel_id, address, asked_at)
   SELECT n.channel_id, n.address, $3
   FROM unnest($1::text[], $2::text[]) AS n (channel_id, address)
   ON CONFLICT (channel_id) DO UPDATE SET address = excluded.address, asked_at = excluded.asked_at`,
)

/** False when the message has arrived before. */
export const noteEvent = existsQuery<[messageId: string, now: Date]>(
  'add_twitch_event',
  'INSERT INTO twitch_events (message_id, received_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
)

export const removeOldEvents = writeQuery<[before: Date]>(
  'remove_old_twitch_events',
  'DELETE FROM twitch_events WHERE received_at < $1',
)
