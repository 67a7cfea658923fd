// Typed columns of who people are, as views read them: users, sessions, settings.
// The migrations are the truth; a test compares these columns with them.

import { bigint, boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

export const users = pgTable('users', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  twitchId: text('twitch_id'),
  username: text('username').notNull(),
  displayName: text('display_name').notNull(),
  email: text('email'),
  avatar: text('avatar'),
  bio: text('bio'),
  country: text('country'),
  timezone: text('timezone'),
  notifications: jsonb('notifications').notNull().default({ email: true, prizes: true }),
  role: text('role').notNull().default('user'),
  redCoinBalance: bigint('red_coin_balance', { mode: 'number' }).notNull().default(0),
  totalRedCoinWon: bigint('total_red_coin_won', { mode: 'number' }).notNull().default(0),
  solanaWallet: text('solana_wallet'),
  solanaWalletVerifiedAt: timestamp('solana_wallet_verified_at', { withTimezone: true }),
  discordId: text('discord_id'),
  discordUsername: text('discord_username'),
  discordAvatar: text('discord_avatar'),
  isProtected: boolean('is_protected').notNull().default(false),
  isHiddenFromLeaderboard: boolean('is_hidden_from_leaderboard').notNull().default(false),
  isEarningBlocked: boolean('is_earning_blocked').notNull().default(false),
  lastWatchCreditAt: timestamp('last_watch_credit_at', { withTimezone: true }),
  deletedAt: timestamp('deleted_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  twitchDisplayName: text('twitch_display_name'),
  noticesReadAt: timestamp('notices_read_at', { withTimezone: true }),
})

export const sessions = pgTable('sessions', {
  tokenHash: text('token_hash').primaryKey(),
  userId: integer('user_id').notNull(),
  kind: text('kind').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  lastSeenAt: timestamp('last_seen_at', { withTimezone: true }).notNull(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  confirmedAt: timestamp('confirmed_at', { withTimezone: true }),
})

export const appSettings = pgTable('app_settings', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  key: text('key').notNull(),
  value: jsonb('value').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})
