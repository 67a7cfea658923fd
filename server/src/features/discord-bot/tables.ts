// Reward messages of the chat bot and who has claimed them.

import { type Queryable, statement } from '../../adapters/db/database.ts'

export interface RewardMessage {
  readonly messageId: string
  readonly serverId: string
  readonly rewardAmount: number
  readonly postedAt: Date
}

const findMessage = statement(
  'find_reward_message',
  `SELECT m.message_id AS "messageId", m.server_id AS "serverId", m.reward_amount AS "rewardAmount",
     m.posted_at AS "postedAt"
   FROM discord_messages m
   JOIN discord_servers s ON s.server_id = m.server_id AND s.channel_id = m.channel_id
     AND s.is_active
   WHERE m.message_id = $1 AND m.is_active AND m.expires_at > $2`,
)
const findRemoved = statement(
  'find_message_of_removed_channel',
  `SELECT 1 AS found FROM discord_messages m
   WHERE m.message_id = $1 AND m.is_active AND m.expires_at > $2 AND NOT EXISTS (
     SELECT FROM discord_servers s
     WHERE s.server_id = m.server_id AND s.channel_id = m.channel_id AND s.is_active)`,
)
const findLinked = statement(
  'find_linked_user',
  `SELECT id, is_earning_blocked AS "isEarningBlocked" FROM users
   WHERE discord_id = $1 AND deleted_at IS NULL`,
)
const addClaim = statement(
  'add_reward_claim',
  `INSERT INTO discord_reward_claims (user_id, discord_server_id, message_id, discord_user_id,
     red_coin_amount, claimed_at)
   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING id`,
)

/** An active, unexpired message of an active server on the list. */
export async function redeemableMessage(
  tx: Queryable,
  messageId: string,
  now: Date,
): Promise<RewardMessage | undefined> {
  return (await tx.run<RewardMessage>(findMessage, [messageId, now]))[0]
}

/** True for a message that could be claimed if its channel were still on the list. */
export async function isOfRemovedChannel(
  tx: Queryable,
  messageId: string,
  now: Date,
): Promise<boolean> {
  return (await tx.run(findRemoved, [messageId, now])).length > 0
}

export interface LinkedUser {
  readonly id: number
  readonly isEarningBlocked: boolean
}

/** The user who has linked this Discord account. */
export async function linkedUser(
  tx: Queryable,
  discordUserId: string,
): Promise<LinkedUser | undefined> {
  return (await tx.run<LinkedUser>(findLinked, [discordUserId]))[0]
}

/** Records a claim; false when the user or the Discord account has claimed this message before. */
export async function recordRedemption(
  tx: Queryable,
  message: RewardMessage,
  who: { readonly userId: number; readonly discordUserId: string },
  now: Date,
): Promise<boolean> {
  const { messageId, serverId, rewardAmount } = message
  const values = [who.userId, serverId, messageId, who.discordUserId, rewardAmount, now]
  return (await tx.run(addClaim, values)).length > 0
}
