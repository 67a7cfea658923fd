// What staff see of streams.

import type { AdminStream, AdminStreamReward } from '@redpack/contract'
import type { Queryable } from '../../adapters/db/database.ts'
import { rowQuery, rowsQuery } from '../../adapters/db/queries.ts'
import { channelAddress } from '../../rules/live-state.ts'
import { existing } from '../../shared/domain-error.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { rewardsOfStream } from './watch-sql.ts'

const streamsMax = 5_000

const rewardRows = `(
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'streamId', s.id,
    'packTypeId', r.pack_type_id, 'packQuantity', r.pack_quantity, 'quantity', r.pack_quantity,
    'redCoinAmount', r.red_coin_amount,
    'packType', CASE WHEN t.id IS NULL THEN NULL
      ELSE jsonb_build_object('id', t.id, 'name', t.name) END) ORDER BY r.id), '[]')
  FROM ${rewardsOfStream('s.id')} r LEFT JOIN pack_types t ON t.id = r.pack_type_id)`

const columns = `s.id, s.display_name AS "displayName", s.channel_name AS "channelName",
  s.twitch_channel_id AS "twitchChannelId", s.channel_url AS "channelUrl",
  s.watch_time_required AS "watchTimeRequiredSeconds",
  s.completion_message AS "completionMessage", s.enable_chat_message AS "enableChatMessage",
  s.auto_schedule_enabled AS "autoScheduleEnabled",
  s.scheduled_start_time AS "scheduledStartTime", s.scheduled_end_time AS "scheduledEndTime",
  s.is_active AS "isActive", s.is_live AS "isLive", s.current_stream_id AS "currentStreamId",
  s.stream_started_at AS "streamStartedAt", s.stream_ended_at AS "streamEndedAt",
  s.reward_pack_type_id AS "rewardPackTypeId", s.reward_pack_quantity AS "rewardPackQuantity",
  s.reward_red_coin_amount AS "rewardRedCoinAmount", s.presence_mode AS "presenceMode",
  s.chatters_read_at AS "chattersReadAt", s.is_live_by_hand AS "isLiveByHand",
  s.live_checked_at AS "liveCheckedAt", ${rewardRows} AS rewards`

const readAll = rowsQuery<Row>(
  'read_admin_streams',
  `SELECT ${columns} FROM twitch_streams s WHERE s.archived_at IS NULL
   ORDER BY s.id LIMIT ${streamsMax}`,
)
const readOne = rowQuery<Row, [id: number]>(
  'read_admin_stream',
  `SELECT ${columns} FROM twitch_streams s WHERE s.id = $1 AND s.archived_at IS NULL`,
)

type Row = Dated<
  Omit<AdminStream, 'twitchChannelName' | 'watchTimeRequired' | 'channelUrl' | 'packRewards'>,
  | 'scheduledStartTime'
  | 'scheduledEndTime'
  | 'streamStartedAt'
  | 'streamEndedAt'
  | 'chattersReadAt'
  | 'liveCheckedAt'
> & { readonly channelUrl: string | null }

function adminStream(row: Row): AdminStream {
  const { channelName, watchTimeRequiredSeconds, rewards } = row
  return {
    ...isoTimes(row),
    twitchChannelName: channelName,
    channelUrl: channelAddress(row),
    watchTimeRequired: watchTimeRequiredSeconds / 60,
    packRewards: rewards,
  }
}

/** Every stream that is not deleted. */
export async function adminStreams(db: Queryable): Promise<AdminStream[]> {
  return (await readAll(db)).map(adminStream)
}

/** @throws DomainError not_found for an unknown or deleted stream */
export async function adminStreamWith(db: Queryable, id: number): Promise<AdminStream> {
  const row = existing(await readOne(db, id), 'Stream not found')
  return adminStream(row)
}

/** @throws DomainError not_found for an unknown or deleted stream */
export async function adminStreamRewards(db: Queryable, id: number): Promise<AdminStreamReward[]> {
  return [...(await adminStreamWith(db, id)).rewards]
}
