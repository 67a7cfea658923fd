// Typed columns of what can be held, opened and won.
// The migrations are the truth; a test compares these columns with them.

import {
  bigint,
  boolean,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  timestamp,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core'

export const packTypes = pgTable('pack_types', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  name: text('name').notNull(),
  description: text('description').notNull().default(''),
  color: text('color').notNull().default('#8B5CF6'),
  icon: text('icon').notNull().default('package'),
  imageUrl: text('image_url'),
  imageData: text('image_data'),
  imageType: varchar('image_type', { length: 50 }),
  oddsRevision: integer('odds_revision').notNull().default(1),
  archivedAt: timestamp('archived_at', { withTimezone: true }),
  archivedPrizeIds: integer('archived_prize_ids').array(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})

export const userPacks = pgTable('user_packs', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  userId: integer('user_id').notNull(),
  packTypeId: integer('pack_type_id').notNull(),
  quantity: integer('quantity').notNull().default(0),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})

export const prizes = pgTable('prizes', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  name: text('name').notNull(),
  description: text('description').notNull().default(''),
  claimInstructions: text('claim_instructions').notNull().default(''),
  winFrequency: integer('win_frequency').notNull().default(1),
  totalPacks: integer('total_packs').notNull().default(100),
  redCoinAmount: bigint('red_coin_amount', { mode: 'number' }).notNull().default(0),
  packTypeId: integer('pack_type_id'),
  packQuantity: integer('pack_quantity').notNull().default(0),
  imageData: text('image_data'),
  imageType: varchar('image_type', { length: 50 }),
  imageHash: text('image_hash'),
  inventoryQuantity: integer('inventory_quantity'),
  isActive: boolean('is_active').notNull().default(true),
  archivedAt: timestamp('archived_at', { withTimezone: true }),
  archivedPackTypeIds: integer('archived_pack_type_ids').array(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})

export const prizePackTypes = pgTable('prize_pack_types', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  prizeId: integer('prize_id').notNull(),
  packTypeId: integer('pack_type_id').notNull(),
})

export const seedPairs = pgTable('seed_pairs', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  userId: integer('user_id').notNull(),
  serverSeed: text('server_seed'),
  serverSeedHash: text('server_seed_hash').notNull(),
  clientSeed: text('client_seed'),
  nonce: integer('nonce').notNull().default(0),
  status: text('status').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  revealedAt: timestamp('revealed_at', { withTimezone: true }),
  scheme: smallint('scheme').notNull().default(1),
  clientSeedFrom: text('client_seed_from'),
  sealedServerSeed: jsonb('sealed_server_seed'),
  commitmentIndex: bigint('commitment_index', { mode: 'number' }),
})

export const oddsTables = pgTable('odds_tables', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  packTypeId: integer('pack_type_id').notNull(),
  tableHash: text('table_hash').notNull(),
  body: text('body').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

export const openingRequests = pgTable('opening_requests', {
  id: uuid('id').primaryKey(),
  userId: integer('user_id').notNull(),
  packTypeId: integer('pack_type_id').notNull(),
  seedPairId: integer('seed_pair_id').notNull(),
  oddsTableId: integer('odds_table_id').notNull(),
  firstNonce: integer('first_nonce').notNull(),
  quantity: integer('quantity').notNull(),
  consolationRedCoin: bigint('consolation_red_coin', { mode: 'number' }).notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})

export const packOpenings = pgTable('pack_openings', {
  id: bigint('id', { mode: 'number' }).generatedByDefaultAsIdentity().primaryKey(),
  requestId: uuid('request_id').notNull(),
  userId: integer('user_id').notNull(),
  packTypeId: integer('pack_type_id').notNull(),
  prizeId: integer('prize_id'),
  soldOutPrizeId: integer('sold_out_prize_id'),
  redCoinEarned: bigint('red_coin_earned', { mode: 'number' }).notNull().default(0),
  nonce: integer('nonce').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  stockAfter: integer('stock_after'),
})

export const prizeClaims = pgTable('prize_claims', {
  id: integer('id').generatedByDefaultAsIdentity().primaryKey(),
  userId: integer('user_id').notNull(),
  prizeId: integer('prize_id').notNull(),
  claimId: text('claim_id'),
  status: text('status').notNull().default('pending'),
  contactInfo: jsonb('contact_info'),
  packOpeningId: bigint('pack_opening_id', { mode: 'number' }),
  prizeName: text('prize_name').notNull(),
  redCoinAmount: bigint('red_coin_amount', { mode: 'number' }).notNull(),
  packQuantity: integer('pack_quantity').notNull(),
  imageHash: text('image_hash'),
  deletedAt: timestamp('deleted_at', { withTimezone: true }),
  deletionBatch: uuid('deletion_batch'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})
