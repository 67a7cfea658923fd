// Typed columns of watch rewards, the chat bots, and jobs.
// The migrations are the truth; a test compares these columns with them.

import { bigint, boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

export const twitchStreams = pgTable('twitch_streams', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  twitchChannelId: text('twitch_channel_id').notNull(),
  channelName: text('channel_name').notNull(),
  displayName: text('display_name').notNull(),
  channelUrl: text('channel_url'),
  isActive: boolean('is_active').notNull().default(true),
  watchTimeRequired: integer('watch_time_required').notNull().default(7200),
  completionMessage: text('completion_message')
    .notNull()
    .default("Congratulations {username}! You've earned a pack for watching!"),
  enableChatMessage: boolean('enable_chat_message').notNull().default(true),
  scheduledStartTime: timestamp('scheduled_start_time', { withTimezone: true }),
  scheduledEndTime: timestamp('scheduled_end_time', { withTimezone: true }),
  autoScheduleEnabled: boolean('auto_schedule_enabled').notNull().default(false),
  rewardPackTypeId: integer('reward_pack_type_id'),
  rewardPackQuantity: integer('reward_pack_quantity').notNull().default(1),
  rewardRedCoinAmount: bigint('reward_red_coin_amount', { mode: 'number' }).notNull().default(0),
  isLive: boolean('is_live').notNull().default(false),
  currentStreamId: text('current_stream_id'),
  streamStartedAt: timestamp('stream_started_at', { withTimezone: true }),
  streamEndedAt: timestamp('stream_ended_at', { withTimezone: true }),
  archivedAt: timestamp('archived_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  presenceMode: text('presence_mode').notNull().default('off'),
  chattersReadAt: timestamp('chatters_read_at', { withTimezone: true }),
  platformStreamId: text('platform_stream_id'),
  lastStreamId: text('last_stream_id'),
  liveCheckedAt: timestamp('live_checked_at', { withTimezone: true }),
  liveMissedAt: timestamp('live_missed_at', { withTimezone: true }),
  offlineHintedAt: timestamp('offline_hinted_at', { withTimezone: true }),
  isLiveByHand: boolean('is_live_by_hand').notNull().default(false),
  scheduleEdgeAt: timestamp('schedule_edge_at', { withTimezone: true }),
})

export const streamRewards = pgTable('stream_rewards', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  streamId: integer('stream_id').notNull(),
  packTypeId: integer('pack_type_id'),
  packQuantity: integer('pack_quantity').notNull().default(1),
  redCoinAmount: bigint('red_coin_amount', { mode: 'number' }).notNull().default(0),
})

export const viewerSessions = pgTable('viewer_sessions', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  userId: integer('user_id').notNull(),
  streamId: integer('stream_id').notNull(),
  streamSessionId: text('stream_session_id').notNull(),
  totalWatchTime: integer('total_watch_time').notNull().default(0),
  startedAt: timestamp('started_at', { withTimezone: true }).notNull().defaultNow(),
  lastActiveAt: timestamp('last_active_at', { withTimezone: true }).notNull().defaultNow(),
  isCompleted: boolean('is_completed').notNull().default(false),
  completedAt: timestamp('completed_at', { withTimezone: true }),
  chatSeenAt: timestamp('chat_seen_at', { withTimezone: true }),
})

export const watchCompletions = pgTable('watch_completions', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  userId: integer('user_id').notNull(),
  streamId: integer('stream_id').notNull(),
  streamSessionId: text('stream_session_id').notNull(),
  watchTimeCompleted: integer('watch_time_completed').notNull(),
  required: integer('required').notNull(),
  rewardsGiven: jsonb('rewards_given').notNull().default([]),
  completedAt: timestamp('completed_at', { withTimezone: true }).notNull().defaultNow(),
})

export const discordServers = pgTable('discord_servers', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  serverId: text('server_id').notNull(),
  serverName: text('server_name').notNull(),
  channelId: text('channel_id').notNull(),
  channelName: text('channel_name').notNull(),
  isActive: boolean('is_active').notNull().default(true),
  addedAt: timestamp('added_at', { withTimezone: true }).notNull().defaultNow(),
  checkedAt: timestamp('checked_at', { withTimezone: true }),
  problem: text('problem'),
  refusedCount: integer('refused_count').notNull().default(0),
})

export const discordBotSettings = pgTable('discord_bot_settings', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  rewardAmount: bigint('reward_amount', { mode: 'number' }).notNull().default(25),
  isActive: boolean('is_active').notNull().default(true),
  postSchedule: jsonb('post_schedule').notNull().default([6, 12, 18, 24]),
  lastPostTimes: jsonb('last_post_times').notNull().default({}),
  scheduledFrom: timestamp('scheduled_from', { withTimezone: true }),
})

export const discordMessages = pgTable('discord_messages', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  messageId: text('message_id').notNull(),
  channelId: text('channel_id').notNull(),
  serverId: text('server_id').notNull(),
  postedAt: timestamp('posted_at', { withTimezone: true }).notNull().defaultNow(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  rewardAmount: bigint('reward_amount', { mode: 'number' }).notNull(),
  isActive: boolean('is_active').notNull().default(true),
  closedAt: timestamp('closed_at', { withTimezone: true }),
  closeTries: integer('close_tries').notNull().default(0),
  closeAfter: timestamp('close_after', { withTimezone: true }),
})

export const discordRewardClaims = pgTable('discord_reward_claims', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  userId: integer('user_id').notNull(),
  discordServerId: text('discord_server_id').notNull(),
  messageId: text('message_id').notNull(),
  discordUserId: text('discord_user_id'),
  redCoinAmount: bigint('red_coin_amount', { mode: 'number' }).notNull(),
  claimedAt: timestamp('claimed_at', { withTimezone: true }).notNull().defaultNow(),
})

export const twitchBotCredentials = pgTable('twitch_bot_credentials', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  botUsername: text('bot_username').notNull(),
  botUserId: text('bot_user_id').notNull(),
  accessToken: text('access_token').notNull(),
  refreshToken: text('refresh_token'),
  clientId: text('client_id').notNull(),
  expiresAt: timestamp('expires_at', { withTimezone: true }),
  scopes: text('scopes').notNull().default('moderator:read:chatters'),
  isActive: boolean('is_active').notNull().default(true),
  checkedAt: timestamp('checked_at', { withTimezone: true }),
  problem: text('problem'),
  refreshUntil: timestamp('refresh_until', { withTimezone: true }),
})

export const jobs = pgTable('jobs', {
  name: text('name').primaryKey(),
  everySeconds: integer('every_seconds').notNull(),
  nextRunAt: timestamp('next_run_at', { withTimezone: true }).notNull(),
  lease: text('lease'),
  leaseUntil: timestamp('lease_until', { withTimezone: true }),
  lastStartedAt: timestamp('last_started_at', { withTimezone: true }),
  lastFinishedAt: timestamp('last_finished_at', { withTimezone: true }),
  lastSucceededAt: timestamp('last_succeeded_at', { withTimezone: true }),
  lastDurationMs: integer('last_duration_ms'),
  lastFailure: text('last_failure'),
  failuresInRow: integer('failures_in_row').notNull().default(0),
})

export const chatMessages = pgTable('chat_messages', {
  id: bigint('id', { mode: 'number' }).generatedByDefaultAsIdentity().primaryKey(),
  streamId: integer('stream_id').notNull(),
  message: text('message').notNull(),
  state: text('state').notNull().default('waiting'),
  attempts: integer('attempts').notNull().default(0),
  triedAt: timestamp('tried_at', { withTimezone: true }),
  nextTryAt: timestamp('next_try_at', { withTimezone: true }).notNull(),
  reason: text('reason'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})

export const chatAnnouncements = pgTable('chat_announcements', {
  completionId: integer('completion_id').primaryKey(),
  streamId: integer('stream_id').notNull(),
  chatMessageId: bigint('chat_message_id', { mode: 'number' }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})

export const twitchEvents = pgTable('twitch_events', {
  messageId: text('message_id').primaryKey(),
  receivedAt: timestamp('received_at', { withTimezone: true }).notNull(),
})
