// Typed columns of the books, as views read them.
// The migrations are the truth; a test compares these columns with them.

import { bigint, boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

export const redCoinTransactions = pgTable('red_coin_transactions', {
  id: bigint('id', { mode: 'number' }).generatedByDefaultAsIdentity().primaryKey(),
  userId: integer('user_id').notNull(),
  amount: bigint('amount', { mode: 'number' }).notNull(),
  type: text('type').notNull(),
  description: text('description').notNull().default(''),
  prizeId: integer('prize_id'),
  packOpeningId: bigint('pack_opening_id', { mode: 'number' }),
  balanceAfter: bigint('balance_after', { mode: 'number' }).notNull(),
  sourceType: text('source_type').notNull(),
  sourceId: text('source_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

export const packTransactions = pgTable('pack_transactions', {
  id: bigint('id', { mode: 'number' }).generatedByDefaultAsIdentity().primaryKey(),
  userId: integer('user_id').notNull(),
  packTypeId: integer('pack_type_id').notNull(),
  delta: integer('delta').notNull(),
  quantityAfter: integer('quantity_after').notNull(),
  type: text('type').notNull(),
  description: text('description').notNull().default(''),
  sourceType: text('source_type').notNull(),
  sourceId: text('source_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

export const stockEvents = pgTable('stock_events', {
  id: bigint('id', { mode: 'number' }).generatedByDefaultAsIdentity().primaryKey(),
  kind: text('kind').notNull(),
  refId: integer('ref_id').notNull(),
  delta: integer('delta').notNull(),
  quantityAfter: integer('quantity_after'),
  sourceType: text('source_type').notNull(),
  sourceId: text('source_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

export const storePackListings = pgTable('store_pack_listings', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  packTypeId: integer('pack_type_id').notNull(),
  redCoinPrice: bigint('red_coin_price', { mode: 'number' }).notNull(),
  customImage: text('custom_image'),
  quantityAvailable: integer('quantity_available').notNull().default(0),
  isUnlimited: boolean('is_unlimited').notNull().default(false),
  isActive: boolean('is_active').notNull().default(true),
  sortOrder: integer('sort_order').notNull().default(0),
  archivedAt: timestamp('archived_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})
