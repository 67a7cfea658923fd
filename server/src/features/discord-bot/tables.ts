// The SQL of the Discord bot: reward messages and who has claimed them, the whitelist, the
// settings with the mark that stops it, and the log's daily checkpoint.

import type { AddDiscordServerRequest, BotSettings, DiscordServer } from '@redpack/contract'
import type { Queryable } from '../../adapters/db/database.ts'
import {
  existsQuery,
  rowQuery,
  rowsQuery,
  valueQuery,
  writeQuery,
} from '../../adapters/db/queries.ts'
import { isShutFromEarning } from '../../shared/standing-sql.ts'

export interface RewardMessage {
  readonly messageId: string
  readonly serverId: string
  readonly rewardAmount: number
  readonly postedAt: Date
}

/** An active, unexpired message of an active server on the list. */
export const redeemableMessage = rowQuery<RewardMessage, [messageId: string, now: Date]>(
  'find_reward_message',
  `SELECT m.message_id AS "messageId", m.server_id AS "serverId", m.reward_amount AS "rewardAmount",
     m.posted_at AS "postedAt"
   FROM discord_messages m
   JOIN discord_servers s ON s.server_id = m.server_id AND s.channel_id = m.channel_id
     AND s.is_active
   WHERE m.message_id = $1 AND m.is_active AND m.expires_at > $2
   -- not null: messageId (the condition asks for it)`,
)

/** True for a message that could be claimed if its channel were still on the list. */
export const isOfRemovedChannel = existsQuery<[messageId: string, now: Date]>(
  'find_message_of_removed_channel',
  `SELECT 1 AS found FROM discord_messages m
   WHERE m.message_id = $1 AND m.is_active AND m.expires_at > $2 AND NOT EXISTS (
     SELECT FROM discord_servers s
     WHERE s.server_id = m.server_id AND s.channel_id = m.channel_id AND s.is_active)`,
)

export interface LinkedUser {
  readonly id: number
  readonly isEarningBlocked: boolean
}

/** The user who has linked this Discord account. */
export const linkedUser = rowQuery<LinkedUser, [discordUserId: string, now: Date]>(
  'find_linked_user',
  `SELECT id, ${isShutFromEarning('users', '$2')} AS "isEarningBlocked" FROM users
   WHERE discord_id = $1 AND deleted_at IS NULL`,
)

/** Records a claim; false when the user or the Discord account has claimed this message before. */
export const recordRedemption = existsQuery<
  [
    claim: Omit<RewardMessage, 'postedAt'> & {
      userId: number
      discordUserId: string
      now: Date
    },
  ]
>(
  'add_reward_claim',
  `INSERT INTO discord_reward_claims (user_id, discord_server_id, message_id, discord_user_id,
     red_coin_amount, claimed_at)
   VALUES (:userId, :serverId, :messageId, :discordUserId, :rewardAmount, :now)
   ON CONFLICT DO NOTHING RETURNING id`,
)

/** Remembers an interaction; false when it has arrived before. */
export const rememberInteraction = existsQuery<[interactionId: string, now: Date]>(
  'add_discord_interaction',
  `INSERT INTO discord_interactions (interaction_id, received_at) VALUES ($1, $2)
   ON CONFLICT DO NOTHING RETURNING interaction_id`,
)

/** Forgets interactions that are too old to be accepted again. */
export const forgetInteractions = writeQuery<[before: Date]>(
  'drop_discord_interactions',
  'DELETE FROM discord_interactions WHERE received_at < $1',
)

export interface PlannedReward {
  readonly id: number
  readonly serverId: string
  readonly channelId: string
  readonly nonce: string
  readonly rewardAmount: number
  readonly isTest: boolean
  readonly expiresAt: Date
  /** Null until Discord has said it. */
  readonly messageId: string | null
}

const plannedColumns = `id, server_id AS "serverId", channel_id AS "channelId", nonce,
  reward_amount AS "rewardAmount", slot IS NULL AS "isTest", expires_at AS "expiresAt",
  message_id AS "messageId"`

/** Active channels, added before the slot, that have no reward message of it yet. */
export const channelsWithoutPost = rowsQuery<{ serverId: string; channelId: string }, [slot: Date]>(
  'channels_without_post',
  `SELECT DISTINCT ON (s.channel_id) s.server_id AS "serverId", s.channel_id AS "channelId"
   FROM discord_servers s
   WHERE s.is_active AND s.added_at <= $1 AND NOT EXISTS (
     SELECT FROM discord_messages m WHERE m.slot = $1 AND m.channel_id = s.channel_id)
   ORDER BY s.channel_id, s.id LIMIT 500`,
)

// A test goes out at once and by the hand of staff; its end comes like that of any other.
/** Plans a reward message, unless it is planned for its slot and channel. */
export const planReward = writeQuery<
  [
    reward: Omit<PlannedReward, 'id' | 'isTest' | 'messageId'> & {
      /** Null for a test. */
      slot: Date | null
      now: Date
    },
  ]
>(
  'plan_reward_message',
  `WITH planned AS (
     INSERT INTO discord_messages (slot, server_id, channel_id, nonce, reward_amount, posted_at,
       expires_at)
     VALUES (:slot, :serverId, :channelId, :nonce, :rewardAmount, :now, :expiresAt)
     ON CONFLICT DO NOTHING RETURNING id, slot, channel_id, expires_at)
   INSERT INTO outbox_messages (channel, place, kind, event, next_try_at, expires_at, created_at)
   SELECT 'post', channel_id, k.kind, k.kind || '-' || id, k.due, k.until, :now
   FROM planned CROSS JOIN LATERAL (VALUES ('reward', :now::timestamptz, expires_at),
     ('reward_over', expires_at, NULL)) k(kind, due, until)
   WHERE slot IS NOT NULL OR k.kind = 'reward_over'`,
)

export const plannedReward = rowQuery<PlannedReward, [id: number]>(
  'read_planned_reward',
  `SELECT ${plannedColumns} FROM discord_messages WHERE id = $1 AND nonce IS NOT NULL
   -- not null: nonce (the condition asks for it)`,
)

export const rewardNamed = rowQuery<PlannedReward, [nonce: string | undefined]>(
  'find_reward_by_nonce',
  `SELECT ${plannedColumns} FROM discord_messages WHERE nonce = $1
   -- not null: nonce (the condition asks for it)`,
)

/** Makes a reward claimable by the message's id; false when it has one already. */
export const nameMessage = existsQuery<[id: number, messageId: string, now: Date]>(
  'name_reward_message',
  `UPDATE discord_messages SET message_id = $2, posted_at = $3
   WHERE id = $1 AND message_id IS NULL RETURNING id`,
)

export type ServerRow = AddDiscordServerRequest & Pick<DiscordServer, 'id' | 'isActive'>

const serverColumns = `id, server_name AS "serverName", server_id AS "serverId",
  channel_id AS "channelId", channel_name AS "channelName", is_active AS "isActive"`

const serversMax = 500
const listed = `SELECT ${serverColumns}, checked_at IS NOT NULL AS "isChecked", problem
  FROM discord_servers`

/** The whitelist in the order in which it was made. */
export const discordServerList = rowsQuery<DiscordServer>(
  'read_discord_servers',
  `${listed} ORDER BY id LIMIT ${serversMax}`,
)

/** One entry; undefined when it has gone. */
export const discordServer = rowQuery<DiscordServer, [id: number]>(
  'read_discord_server',
  `${listed} WHERE id = $1`,
)

export const findServer = rowQuery<ServerRow, [serverId: string]>(
  'find_discord_server',
  `SELECT ${serverColumns} FROM discord_servers WHERE server_id = $1`,
)

/** The active entry of a channel. */
export const findActiveChannel = rowQuery<ServerRow, [channelId: string]>(
  'find_discord_channel',
  `SELECT ${serverColumns} FROM discord_servers WHERE channel_id = $1 AND is_active ORDER BY id LIMIT 1`,
)

export interface CheckResult {
  /** When Discord has confirmed the channel; null when it was not asked. */
  readonly checkedAt: Date | null
  readonly problem: string | null
}

/** Undefined when the server is on the list already. */
export const addServerRow = rowQuery<
  ServerRow,
  [server: AddDiscordServerRequest & CheckResult & { now: Date }]
>(
  'add_discord_server',
  `INSERT INTO discord_servers (server_name, server_id, channel_id, channel_name, added_at,
     checked_at, problem)
   VALUES (:serverName, :serverId, :channelId, :channelName, :now, :checkedAt, :problem)
   ON CONFLICT DO NOTHING RETURNING ${serverColumns}`,
)

/**
 * Removes the entry with this row number or, where no row has it, this server id. Undefined when
 * there is none.
 */
export const removeServerRow = rowQuery<ServerRow, [rowId: number | undefined, serverId: string]>(
  'remove_discord_server',
  `DELETE FROM discord_servers WHERE id = coalesce(
     (SELECT id FROM discord_servers WHERE id = $1),
     (SELECT id FROM discord_servers WHERE server_id = $2))
   RETURNING ${serverColumns}`,
)

/** Counts a refused post; the `refusalsMax`th in a row switches the channel off. */
export const countRefusedPost = rowQuery<
  { isActive: boolean },
  [channelId: string, problem: string, refusalsMax: number]
>(
  'count_discord_refusal',
  `UPDATE discord_servers SET refused_count = refused_count + 1, problem = $2,
     is_active = is_active AND refused_count + 1 < $3
   WHERE channel_id = $1 RETURNING is_active AS "isActive"`,
)

/** A post has arrived: whatever was wrong with the channel is over. */
export const clearServerProblem = writeQuery<[channelId: string, now: Date]>(
  'clear_discord_problem',
  `UPDATE discord_servers SET refused_count = 0, problem = NULL, checked_at = $2
   WHERE channel_id = $1 AND is_active`,
)

/** Hours stand as they were sent. */
export interface SettingsRow
  extends Pick<BotSettings, 'rewardAmount' | 'isActive' | 'postSchedule'> {
  /** Slots before this moment are not caught up; null when there is no such moment. */
  readonly scheduledFrom: Date | null
}

const settingsColumns = `reward_amount AS "rewardAmount", is_active AS "isActive",
  post_schedule AS "postSchedule", scheduled_from AS "scheduledFrom"`

// The row is made first: two first saves at once then wait for each other like any other two.
const makeRow = existsQuery(
  'make_bot_settings',
  `INSERT INTO discord_bot_settings (id) SELECT 1
   WHERE NOT EXISTS (SELECT FROM discord_bot_settings) ON CONFLICT DO NOTHING RETURNING id`,
)
const lockRow = rowQuery<SettingsRow>(
  'lock_bot_settings',
  `SELECT ${settingsColumns} FROM discord_bot_settings ORDER BY id LIMIT 1 FOR UPDATE`,
)

/** Undefined while nothing is saved. */
export const readSettings = rowQuery<SettingsRow>(
  'read_bot_settings',
  `SELECT ${settingsColumns} FROM discord_bot_settings ORDER BY id LIMIT 1`,
)

/** Locks the settings; they are made with the database's defaults when nothing is saved. */
export async function lockSettings(
  tx: Queryable,
): Promise<{ row: SettingsRow | undefined; isNew: boolean }> {
  const isNew = await makeRow(tx)
  return { row: await lockRow(tx), isNew }
}

export const writeSettings = writeQuery<
  [row: Omit<SettingsRow, 'postSchedule'> & { readonly hours: string }]
>(
  'write_bot_settings',
  `UPDATE discord_bot_settings SET reward_amount = :rewardAmount, is_active = :isActive,
     post_schedule = :hours::jsonb, scheduled_from = :scheduledFrom
   WHERE id = (SELECT min(id) FROM discord_bot_settings)`,
)

/** Keeps when a channel was last posted to; there is nothing to keep it in before a first save. */
export const keepLastPostTime = writeQuery<[channelId: string, at: string]>(
  'keep_bot_post_time',
  `UPDATE discord_bot_settings
   SET last_post_times = last_post_times || jsonb_build_object($1::text, $2::text)`,
)

/** Plans the post of a day (as `2026-11-21`), to be sent as long as the day lasts. */
export const planCheckpoint = writeQuery<
  [post: { day: string; channelId: string; content: string; now: Date }]
>(
  'plan_log_post',
  `WITH planned AS (INSERT INTO log_posts (day, content) VALUES (:day::date, :content)
     ON CONFLICT DO NOTHING RETURNING day)
   INSERT INTO outbox_messages (channel, place, kind, event, next_try_at, expires_at, created_at)
   SELECT 'post', :channelId, 'checkpoint', 'checkpoint-' || day, :now,
     (day + 1)::timestamp AT TIME ZONE 'UTC', :now FROM planned`,
)

export const isCheckpointPlanned = existsQuery<[day: string]>(
  'find_log_post',
  'SELECT day FROM log_posts WHERE day = $1::date',
)

export const checkpointText = valueQuery<{ content: string }, [day: string]>(
  'read_log_post',
  'SELECT content FROM log_posts WHERE day = $1::date AND message_id IS NULL',
)

export const markCheckpointPosted = writeQuery<[day: string, messageId: string]>(
  'mark_log_post',
  'UPDATE log_posts SET message_id = $2 WHERE day = $1::date',
)
