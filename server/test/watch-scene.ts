// Streams and rewards for the tests of watching.

import type { TestDeps } from './deps.ts'

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
  const added = await rows<{ id: number }>(
    `INSERT INTO twitch_streams (twitch_channel_id, channel_name, display_name, is_live,
       current_stream_id, watch_time_required, reward_red_coin_amount, reward_pack_type_id,
       reward_pack_quantity)
     VALUES ($1, 'partner', 'Partner', $2, $3, $4, $5, $6, $7) RETURNING id`,
    [
      `channel-${channels++}`,
      isLive,
      isLive ? 'b1' : null,
      more.watchSeconds ?? 3600,
      more.redCoins ?? 0,
      more.ownPackTypeId ?? null,
      more.ownPackQuantity ?? 1,
    ],
  )
  return added[0]!.id
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
