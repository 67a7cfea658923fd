// The SQL of the Discord bot: reward messages and who has claimed them, posts, the whitelist, the
// settings with the mark that stops it, and the log's daily checkpoint.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { existsQuery, rowQuery, valueQuery, writeQuery } from '../../adapters/db/queries.ts'
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
   WHERE m.message_id = $1 AND m.is_active AND m.expires_at > $2`,
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

export interface ExpiredMessage {
  readonly id: number
  readonly messageId: string
  readonly channelId: string
  readonly rewardAmount: number
  readonly closeTries: number
  /** Null for a message that no post of ours is known for. */
  readonly nonce: string | null
}

// Taking one puts its next try off in the same statement, so that two processes never edit twice.
/** Takes one message whose time is over and whose button still stands. */
export const takeExpiredMessage = rowQuery<ExpiredMessage, [now: Date, nextTryAt: Date]>(
  'take_expired_message',
  `UPDATE discord_messages m SET close_tries = close_tries + 1, close_after = $2
   WHERE m.id = (
     SELECT id FROM discord_messages
     WHERE closed_at IS NULL AND expires_at <= $1 AND (close_after IS NULL OR close_after <= $1)
     ORDER BY expires_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING m.id, m.message_id AS "messageId", m.channel_id AS "channelId",
     m.reward_amount AS "rewardAmount", m.close_tries AS "closeTries",
     (SELECT nonce FROM discord_posts p WHERE p.message_id = m.message_id) AS nonce`,
)

export const markMessageClosed = writeQuery<[id: number, now: Date]>(
  'close_discord_message',
  'UPDATE discord_messages SET closed_at = $2 WHERE id = $1',
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

export interface PostRow {
  readonly id: number
  readonly serverId: string
  readonly channelId: string
  readonly nonce: string
  readonly rewardAmount: number
  readonly isTest: boolean
  readonly expiresAt: Date
  readonly state: 'waiting' | 'posted' | 'failed'
  /** How often posting has begun, the present time included. */
  readonly attempts: number
  readonly messageId: string | null
}

const postColumns = `id, server_id AS "serverId", channel_id AS "channelId", nonce,
  reward_amount AS "rewardAmount", is_test AS "isTest", expires_at AS "expiresAt", state, attempts,
  message_id AS "messageId"`

const channelsWithout = statement(
  'channels_without_post',
  `SELECT DISTINCT ON (s.channel_id) s.server_id AS "serverId", s.channel_id AS "channelId"
   FROM discord_servers s
   WHERE s.is_active AND s.added_at <= $2 AND NOT EXISTS (
     SELECT FROM discord_posts p WHERE p.slot = $1 AND p.channel_id = s.channel_id)
   ORDER BY s.channel_id, s.id LIMIT 500`,
)
const markPosted = statement(
  'mark_discord_post',
  `UPDATE discord_posts SET state = 'posted', message_id = $2, leased_until = NULL, problem = NULL
   WHERE id = $1 AND state = 'waiting' RETURNING id`,
)
const addMessage = statement(
  'add_discord_message',
  `INSERT INTO discord_messages (message_id, channel_id, server_id, posted_at, expires_at,
     reward_amount)
   VALUES ($1, $2, $3, $4, $5, $6)`,
)

/** Active channels, added before the slot, that have no post of it yet. */
export async function channelsWithoutPost(
  db: Queryable,
  slot: Date,
): Promise<{ serverId: string; channelId: string }[]> {
  return db.run(channelsWithout, [slot.toISOString(), slot])
}

/** Plans a post; one that another process has planned for the slot and channel stays. */
export const planPost = writeQuery<
  [post: Omit<PostRow, 'id' | 'state' | 'attempts' | 'messageId'> & { slot: string; now: Date }]
>(
  'add_discord_post',
  `INSERT INTO discord_posts (slot, server_id, channel_id, nonce, reward_amount, is_test,
     expires_at, next_try_at, created_at)
   VALUES (:slot, :serverId, :channelId, :nonce, :rewardAmount, :isTest, :expiresAt,
     :now, :now) ON CONFLICT DO NOTHING`,
)

/** Leases a post that is due; no other process gets it before the lease has ended. */
export const takeWaitingPost = rowQuery<PostRow, [now: Date, leasedUntil: Date]>(
  'take_discord_post',
  `UPDATE discord_posts SET attempts = attempts + 1, leased_until = $2
   WHERE id = (
     SELECT id FROM discord_posts
     WHERE state = 'waiting' AND next_try_at <= $1 AND expires_at > $1
       AND (leased_until IS NULL OR leased_until <= $1)
     ORDER BY next_try_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING ${postColumns}`,
)

/** Leases the post of this nonce. */
export const takePost = rowQuery<PostRow, [nonce: string, leasedUntil: Date]>(
  'take_one_discord_post',
  `UPDATE discord_posts SET attempts = attempts + 1, leased_until = $2
   WHERE nonce = $1 AND state = 'waiting' RETURNING ${postColumns}`,
)

export const failOverduePosts = writeQuery<[now: Date]>(
  'fail_overdue_discord_posts',
  `UPDATE discord_posts SET state = 'failed', leased_until = NULL,
     problem = coalesce(problem, 'Its time was over before it could be posted')
   WHERE state = 'waiting' AND expires_at <= $1
     AND (leased_until IS NULL OR leased_until <= $1)`,
)

export const failPost = writeQuery<[id: number, problem: string]>(
  'fail_discord_post',
  `UPDATE discord_posts SET state = 'failed', leased_until = NULL, problem = $2
   WHERE id = $1 AND state = 'waiting'`,
)

export const putOffPost = writeQuery<[id: number, nextTryAt: Date, problem: string]>(
  'put_off_discord_post',
  `UPDATE discord_posts SET leased_until = NULL, next_try_at = $2, problem = $3
   WHERE id = $1 AND state = 'waiting'`,
)

/** Makes a post's message claimable; false when the post has its message already. */
export async function recordPostedMessage(
  tx: Queryable,
  post: PostRow,
  messageId: string,
  now: Date,
): Promise<boolean> {
  if ((await tx.run(markPosted, [post.id, messageId])).length === 0) return false
  const { channelId, serverId, expiresAt, rewardAmount } = post
  await tx.run(addMessage, [messageId, channelId, serverId, now, expiresAt, rewardAmount])
  return true
}

export const findPost = rowQuery<PostRow, [nonce: string]>(
  'find_discord_post',
  `SELECT ${postColumns} FROM discord_posts WHERE nonce = $1`,
)

export interface NewServer {
  readonly serverName: string
  readonly serverId: string
  readonly channelId: string
  readonly channelName: string
}

export interface ServerRow extends NewServer {
  readonly id: number
  readonly isActive: boolean
}

const serverColumns = `id, server_name AS "serverName", server_id AS "serverId",
  channel_id AS "channelId", channel_name AS "channelName", is_active AS "isActive"`

const removeByServer = statement(
  'remove_discord_server',
  `DELETE FROM discord_servers WHERE server_id = $1 RETURNING ${serverColumns}`,
)
const removeByRow = statement(
  'remove_discord_server_row',
  `DELETE FROM discord_servers WHERE id = $1 RETURNING ${serverColumns}`,
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
export const addServerRow = rowQuery<ServerRow, [server: NewServer & CheckResult & { now: Date }]>(
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
export async function removeServerRow(
  tx: Queryable,
  rowId: number | undefined,
  serverId: string,
): Promise<ServerRow | undefined> {
  const byRow = rowId === undefined ? [] : await tx.run<ServerRow>(removeByRow, [rowId])
  return byRow[0] ?? (await tx.run<ServerRow>(removeByServer, [serverId]))[0]
}

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

export interface SettingsRow {
  readonly rewardAmount: number
  readonly isActive: boolean
  /** Hours as they were sent. */
  readonly postSchedule: readonly number[]
  /** Slots before this moment are not caught up; null when there is no such moment. */
  readonly scheduledFrom: Date | null
}

const settingsColumns = `reward_amount AS "rewardAmount", is_active AS "isActive",
  post_schedule AS "postSchedule", scheduled_from AS "scheduledFrom"`

// The row is made first: two first saves at once then wait for each other like any other two.
const makeRow = statement(
  'make_bot_settings',
  `INSERT INTO discord_bot_settings (id) SELECT 1
   WHERE NOT EXISTS (SELECT FROM discord_bot_settings) ON CONFLICT DO NOTHING RETURNING id`,
)
const lockRow = statement(
  'lock_bot_settings',
  `SELECT ${settingsColumns} FROM discord_bot_settings ORDER BY id LIMIT 1 FOR UPDATE`,
)
const writeRow = statement(
  'write_bot_settings',
  `UPDATE discord_bot_settings SET reward_amount = $1, is_active = $2, post_schedule = $3::jsonb,
     scheduled_from = $4
   WHERE id = (SELECT min(id) FROM discord_bot_settings)`,
)
const keepPostTime = statement(
  'keep_bot_post_time',
  `UPDATE discord_bot_settings
   SET last_post_times = last_post_times || jsonb_build_object($1::text, $2::text)`,
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
  const isNew = (await tx.run(makeRow, [])).length > 0
  return { row: (await tx.run<SettingsRow>(lockRow, []))[0], isNew }
}

export async function writeSettings(tx: Queryable, row: SettingsRow): Promise<void> {
  const { rewardAmount, isActive, postSchedule, scheduledFrom } = row
  await tx.run(writeRow, [rewardAmount, isActive, JSON.stringify(postSchedule), scheduledFrom])
}

/** Keeps when a channel was last posted to; there is nothing to keep it in before a first save. */
export async function keepLastPostTime(tx: Queryable, channelId: string, at: Date): Promise<void> {
  await tx.run(keepPostTime, [channelId, at.toISOString()])
}

/** Why the bot has stopped, and for which token: another one starts it again. */
export interface BotStop {
  readonly problem: string
  readonly tokenMark: string
}

export const readBotStop = valueQuery<{ value: BotStop }>(
  'read_bot_stop',
  `SELECT value FROM app_settings WHERE key = 'discord_bot_stop'`,
)

export const putBotStop = writeQuery<[stop: BotStop, now: Date]>(
  'put_bot_stop',
  `INSERT INTO app_settings (key, value, created_at, updated_at)
   VALUES ('discord_bot_stop', $1::jsonb, $2, $2)
   ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, updated_at = EXCLUDED.updated_at`,
)

export const clearBotStop = writeQuery(
  'clear_bot_stop',
  `DELETE FROM app_settings WHERE key = 'discord_bot_stop'`,
)

export interface CheckpointPost {
  readonly channelId: string
  readonly nonce: string
  readonly content: string
  /** How often posting has begun, the present time included. */
  readonly attempts: number
}

export const isCheckpointPlanned = existsQuery<[day: string]>(
  'find_log_post',
  'SELECT day FROM log_posts WHERE day = $1::date',
)

/** Plans the post of a day (as `2026-11-21`); one that is planned stays as it is. */
export const planCheckpointPost = writeQuery<
  [post: Omit<CheckpointPost, 'attempts'> & { day: string; now: Date }]
>(
  'add_log_post',
  `INSERT INTO log_posts (day, channel_id, nonce, content, next_try_at, created_at)
   VALUES (:day::date, :channelId, :nonce, :content, :now, :now) ON CONFLICT DO NOTHING`,
)

/** The post of the day when it is due and not done. */
export const takeCheckpointPost = rowQuery<CheckpointPost, [day: string, now: Date]>(
  'take_log_post',
  `UPDATE log_posts SET attempts = attempts + 1
   WHERE day = $1::date AND message_id IS NULL AND next_try_at <= $2
   RETURNING channel_id AS "channelId", nonce, content, attempts`,
)

export const markCheckpointPosted = writeQuery<[day: string, messageId: string]>(
  'mark_log_post',
  'UPDATE log_posts SET message_id = $2, problem = NULL WHERE day = $1::date',
)

export const putOffCheckpointPost = writeQuery<[day: string, nextTryAt: Date, problem: string]>(
  'put_off_log_post',
  'UPDATE log_posts SET next_try_at = $2, problem = $3 WHERE day = $1::date',
)
