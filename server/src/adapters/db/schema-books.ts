// Typed columns of the books: ledger, stock, listings, purchases, stored answers.
// The migrations are the truth; a test compares these columns with them.

import {
  bigint,
  boolean,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'

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

export const auditLog = pgTable('audit_log', {
  id: bigint('id', { mode: 'number' }).generatedByDefaultAsIdentity().primaryKey(),
  actorId: integer('actor_id'),
  action: text('action').notNull(),
  targetType: text('target_type'),
  targetId: text('target_id'),
  before: jsonb('before'),
  after: jsonb('after'),
  reason: text('reason'),
  batchId: uuid('batch_id'),
  requestId: text('request_id'),
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

export const storePurchases = pgTable('store_purchases', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  userId: integer('user_id').notNull(),
  storePackListingId: integer('store_pack_listing_id').notNull(),
  quantity: integer('quantity').notNull(),
  unitPrice: bigint('unit_price', { mode: 'number' }).notNull(),
  redCoinCost: bigint('red_coin_cost', { mode: 'number' }).notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

export const idempotencyKeys = pgTable('idempotency_keys', {
  userId: integer('user_id').notNull(),
  route: text('route').notNull(),
  key: text('key').notNull(),
  inputHash: text('input_hash').notNull(),
  status: integer('status'),
  body: text('body'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})

export const formerUsernames = pgTable('former_usernames', {
  id: bigint('id', { mode: 'number' }).generatedByDefaultAsIdentity().primaryKey(),
  userId: integer('user_id').notNull(),
  username: text('username').notNull(),
  until: timestamp('until', { withTimezone: true }).notNull(),
})

export const bulkBatches = pgTable('bulk_batches', {
  id: uuid('id').primaryKey(),
  kind: text('kind').notNull(),
  packTypeId: integer('pack_type_id'),
  actorId: integer('actor_id').notNull(),
  fileName: text('file_name'),
  fileHash: text('file_hash'),
  reverses: uuid('reverses'),
  processedCount: integer('processed_count').notNull(),
  failedCount: integer('failed_count').notNull(),
  total: bigint('total', { mode: 'number' }).notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})

export const bulkBatchRows = pgTable('bulk_batch_rows', {
  id: bigint('id', { mode: 'number' }).generatedByDefaultAsIdentity().primaryKey(),
  batchId: uuid('batch_id').notNull(),
  rowNumber: integer('row_number').notNull(),
  username: text('username').notNull(),
  userId: integer('user_id'),
  verdict: text('verdict').notNull(),
  reason: text('reason'),
  amount: bigint('amount', { mode: 'number' }),
  applied: bigint('applied', { mode: 'number' }).notNull().default(0),
  after: bigint('after', { mode: 'number' }),
})

export const bulkFiles = pgTable('bulk_files', {
  fingerprint: text('fingerprint').primaryKey(),
  batchId: uuid('batch_id').notNull(),
  appliedAt: timestamp('applied_at', { withTimezone: true }).notNull(),
})
