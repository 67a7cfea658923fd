// Typed columns of jobs, of what is to be said in chats, and of events that have arrived.
// The migrations are the truth; a test compares these columns with them.

import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

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
