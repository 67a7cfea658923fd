// Typed columns of the Discord bot, as views read them.
// The migrations are the truth; a test compares these columns with them.

import { bigint, boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

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
