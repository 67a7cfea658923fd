// The SQL of streams as staff keep them, and of their rewards.

import { type Queryable, statement } from '../../adapters/db/database.ts'

export interface StreamFields {
  readonly displayName: string
  readonly channelName: string
  readonly twitchChannelId: string
  /** Null for the channel's own address. */
  readonly channelUrl: string | null
  readonly watchSecondsRequired: number
  readonly completionMessage: string
  readonly enableChatMessage: boolean
  readonly autoScheduleEnabled: boolean
  readonly scheduledStartTime: Date | null
  readonly scheduledEndTime: Date | null
  readonly scheduleEdgeAt: Date | null
  readonly isActive: boolean
  readonly rewardPackTypeId: number | null
  readonly rewardPackQuantity: number
  readonly rewardRedCoinAmount: number
  readonly presenceMode: 'off' | 'observe' | 'require'
}

export interface RewardFields {
  readonly packTypeId: number | null
  readonly packQuantity: number
  readonly redCoinAmount: number
}

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
} as const satisfies Readonly<Record<keyof StreamFields, string>>
const values = Object.keys(columns).map((name) => `:${name}`)
const assignments = Object.entries(columns).map(([name, column]) => `${column} = :${name}`)

const insert = statement(
  'add_stream',
  `INSERT INTO twitch_streams (${Object.values(columns).join(', ')}, updated_at, created_at)
   VALUES (${values.join(', ')}, :now, :now) RETURNING id`,
)
const update = statement(
  'change_stream',
  `UPDATE twitch_streams SET ${assignments.join(', ')}, updated_at = :now WHERE id = :id`,
)

/** Those and no others, whatever else the object carries. */
function valuesOf(fields: StreamFields): StreamFields {
  return {
    displayName: fields.displayName,
    channelName: fields.channelName,
    twitchChannelId: fields.twitchChannelId,
    channelUrl: fields.channelUrl,
    watchSecondsRequired: fields.watchSecondsRequired,
    completionMessage: fields.completionMessage,
    enableChatMessage: fields.enableChatMessage,
    autoScheduleEnabled: fields.autoScheduleEnabled,
    scheduledStartTime: fields.scheduledStartTime,
    scheduledEndTime: fields.scheduledEndTime,
    scheduleEdgeAt: fields.scheduleEdgeAt,
    isActive: fields.isActive,
    rewardPackTypeId: fields.rewardPackTypeId,
    rewardPackQuantity: fields.rewardPackQuantity,
    rewardRedCoinAmount: fields.rewardRedCoinAmount,
    presenceMode: fields.presenceMode,
  }
}

/** @throws a unique violation when another stream has the channel */
export async function insertStream(tx: Queryable, fields: StreamFields, now: Date) {
  const [row] = await tx.run<{ id: number }>(insert, { ...valuesOf(fields), now })
  return row?.id
}

/** @throws a unique violation when another stream has the channel */
export async function updateStream(tx: Queryable, id: number, fields: StreamFields, now: Date) {
  await tx.run(update, { id, ...valuesOf(fields), now })
}

const lock = statement(
  'lock_stream',
  `SELECT display_name AS "displayName", channel_name AS "channelName",
     twitch_channel_id AS "twitchChannelId", channel_url AS "channelUrl",
     watch_time_required AS "watchSecondsRequired", completion_message AS "completionMessage",
     enable_chat_message AS "enableChatMessage", auto_schedule_enabled AS "autoScheduleEnabled",
     scheduled_start_time AS "scheduledStartTime", scheduled_end_time AS "scheduledEndTime",
     schedule_edge_at AS "scheduleEdgeAt", is_active AS "isActive",
     reward_pack_type_id AS "rewardPackTypeId", reward_pack_quantity AS "rewardPackQuantity",
     reward_red_coin_amount AS "rewardRedCoinAmount", presence_mode AS "presenceMode"
   FROM twitch_streams WHERE id = $1 AND (archived_at IS NOT NULL) = $2
   FOR NO KEY UPDATE`,
)

/** Locks a stream, deleted or not as asked for; undefined when there is none. */
export async function lockStream(
  tx: Queryable,
  id: number,
  { isDeleted }: { readonly isDeleted: boolean },
): Promise<StreamFields | undefined> {
  return (await tx.run<StreamFields>(lock, [id, isDeleted]))[0]
}

const readRewards = statement(
  'read_stream_reward_fields',
  `SELECT pack_type_id AS "packTypeId", pack_quantity AS "packQuantity",
     red_coin_amount AS "redCoinAmount" FROM stream_rewards WHERE stream_id = $1 ORDER BY id`,
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

export async function rewardsOf(tx: Queryable, streamId: number): Promise<RewardFields[]> {
  return tx.run<RewardFields>(readRewards, [streamId])
}

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

// A deleted stream keeps its rows for its completions, and for whoever wants it back.
const archive = statement(
  'archive_stream',
  'UPDATE twitch_streams SET archived_at = $2, updated_at = $2 WHERE id = $1',
)
const readChannel = statement(
  'read_channel_of_deleted_stream',
  `SELECT split_part(twitch_channel_id, '#deleted-', 1) AS channel FROM twitch_streams WHERE id = $1`,
)
const bringBack = statement(
  'restore_stream',
  `UPDATE twitch_streams SET archived_at = NULL, updated_at = $2,
     twitch_channel_id = $3 WHERE id = $1`,
)
const freeChannel = statement(
  'free_channel_of_deleted_stream',
  `UPDATE twitch_streams SET twitch_channel_id = twitch_channel_id || '#deleted-' || id
   WHERE twitch_channel_id = $1 AND archived_at IS NOT NULL AND id <> $2`,
)

export async function archiveStream(tx: Queryable, id: number, now: Date): Promise<void> {
  await tx.run(archive, [id, now])
}

/** @throws a unique violation when another stream has taken the channel */
export async function restoreArchived(tx: Queryable, id: number, now: Date): Promise<void> {
  const [row] = await tx.run<{ channel: string }>(readChannel, [id])
  const channel = row?.channel ?? ''
  await freeDeletedChannel(tx, channel, id)
  await tx.run(bringBack, [id, now, channel])
}

/** Deleted streams give their channel up to a stream, which is a new one when it has no id yet. */
export async function freeDeletedChannel(
  tx: Queryable,
  twitchChannelId: string,
  forId = 0,
): Promise<void> {
  await tx.run(freeChannel, [twitchChannelId, forId])
}

const findOld = statement(
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
  const ids = (await tx.run<{ id: number }>(findOld, [before, limit])).map(({ id }) => id)
  if (ids.length === 0) return 0
  await tx.run(removeSessions, [ids])
  await tx.run(removeStreams, [ids])
  return ids.length
}

const readSchedules = statement(
  'lock_scheduled_streams',
  `-- not null: startsAt (see WHERE)
   SELECT id, scheduled_start_time AS "startsAt", scheduled_end_time AS "endsAt",
     schedule_edge_at AS "edgeAt"
   FROM twitch_streams
   WHERE auto_schedule_enabled AND archived_at IS NULL AND scheduled_start_time <= $1
     AND schedule_edge_at IS DISTINCT FROM
       CASE WHEN scheduled_end_time <= $1 THEN scheduled_end_time ELSE scheduled_start_time END
   ORDER BY id LIMIT $2 FOR NO KEY UPDATE`,
)
const applyEdge = statement(
  'apply_schedule_edge',
  `UPDATE twitch_streams SET is_active = $2, schedule_edge_at = $3, updated_at = $4 WHERE id = $1`,
)

export interface ScheduledStream {
  readonly id: number
  readonly startsAt: Date
  readonly endsAt: Date | null
  readonly edgeAt: Date | null
}

/** Locks the streams that have an edge to apply. */
export async function lockScheduledStreams(
  tx: Queryable,
  now: Date,
  limit: number,
): Promise<ScheduledStream[]> {
  return tx.run<ScheduledStream>(readSchedules, [now, limit])
}

export async function applyScheduleEdge(
  tx: Queryable,
  id: number,
  edge: { readonly isActive: boolean; readonly edgeAt: Date },
  now: Date,
): Promise<void> {
  await tx.run(applyEdge, [id, edge.isActive, edge.edgeAt, now])
}
