// Streams and rewards for the tests of watching.

import { insertInto, type TestDeps } from './deps.ts'

export interface StreamStart {
  readonly watchSeconds?: number
  readonly redCoins?: number
  readonly isLive?: boolean
  readonly ownPackTypeId?: number
  readonly ownPackQuantity?: number
}

/** An active stream, live with the broadcast b1 unless told otherwise. */
let channels = 0

export async function addStream(rows: TestDeps['rows'], more: StreamStart = {}): Promise<number> {
  const isLive = more.isLive ?? true
  return insertInto(rows)('twitch_streams', {
    twitch_channel_id: `channel-${channels++}`,
    channel_name: 'partner',
    display_name: 'Partner',
    is_live: isLive,
    current_stream_id: isLive ? 'b1' : null,
    watch_time_required: more.watchSeconds ?? 3600,
    reward_red_coin_amount: more.redCoins ?? 0,
    reward_pack_type_id: more.ownPackTypeId ?? null,
    reward_pack_quantity: more.ownPackQuantity ?? 1,
  })
}

export interface RewardStart {
  readonly packTypeId?: number
  readonly packQuantity?: number
  readonly redCoinAmount?: number
}

export async function addReward(
  rows: TestDeps['rows'],
  streamId: number,
  more: RewardStart,
): Promise<number> {
  const added = await rows<{ id: number }>(
    `INSERT INTO stream_rewards (stream_id, pack_type_id, pack_quantity, red_coin_amount)
     VALUES ($1, $2, $3, $4) RETURNING id`,
    [streamId, more.packTypeId ?? null, more.packQuantity ?? 1, more.redCoinAmount ?? 0],
  )
  return added[0]!.id
}
