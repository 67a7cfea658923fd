// Typed columns of who people are: users, sessions, sign-ins under way, settings.
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

export const twitchSignIns = pgTable('twitch_sign_ins', {
  userId: integer('user_id').primaryKey(),
  tokens: jsonb('tokens').notNull(),
  checkedAt: timestamp('checked_at', { withTimezone: true }).notNull(),
})

export const sessions = pgTable('sessions', {
  tokenHash: text('token_hash').primaryKey(),
  userId: integer('user_id').notNull(),
  kind: text('kind').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  lastSeenAt: timestamp('last_seen_at', { withTimezone: true }).notNull(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
})

export const signInAttempts = pgTable('sign_in_attempts', {
  stateHash: text('state_hash').primaryKey(),
  provider: text('provider').notNull(),
  browserHash: text('browser_hash').notNull(),
  nonce: text('nonce').notNull(),
  userId: integer('user_id'),
  returnTo: text('return_to'),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
})

export const appSettings = pgTable('app_settings', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  key: text('key').notNull(),
  value: jsonb('value').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})

export const staffNotes = pgTable('staff_notes', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  userId: integer('user_id').notNull(),
  authorId: integer('author_id').notNull(),
  body: text('body').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})

export const secondFactors = pgTable('second_factors', {
  userId: integer('user_id').primaryKey(),
  secret: jsonb('secret').notNull(),
  confirmedAt: timestamp('confirmed_at', { withTimezone: true }),
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})

export const recoveryCodes = pgTable('recovery_codes', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  userId: integer('user_id').notNull(),
  codeHash: text('code_hash').notNull(),
  usedAt: timestamp('used_at', { withTimezone: true }),
})
