// What the product is compared with: opening packs as one would write it with Express and an ORM,
// one statement a step in a transaction, row locks, a pool of ten, and no cache.

import { randomBytes, randomUUID } from 'node:crypto'
import { entryAt, rollsOf, thresholdsOf } from '@redpack/fair/draw'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { bigint, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import express, { type NextFunction, type Request, type Response } from 'express'
import pg from 'pg'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { drawSeeds } from '../server/src/adapters/random/draw-seeds.ts'
import { nodeHashing, sha256Hex } from '../server/src/adapters/random/hashing.ts'
import { systemRandom } from '../server/src/adapters/random/random.ts'
import { claimIdBytes, claimIdFrom } from '../server/src/rules/opening.ts'
import { isSealedText } from '../server/src/shared/sealed-text.ts'
import { benchEncryptionKey } from './scene.ts'

const coins = (name: string) => bigint(name, { mode: 'number' })
const now = () =>
  timestamp('created_at', { withTimezone: true })
    .notNull()
    .$defaultFn(() => new Date())

const sessions = pgTable('sessions', { tokenHash: text('token_hash'), userId: integer('user_id') })
const users = pgTable('users', {
  id: integer('id').primaryKey(),
  balance: coins('red_coin_balance').notNull(),
})
const userPacks = pgTable('user_packs', {
  id: integer('id').primaryKey(),
  userId: integer('user_id').notNull(),
  packTypeId: integer('pack_type_id').notNull(),
  quantity: integer('quantity').notNull(),
})
const chains = pgTable('draw_chains', {
  id: integer('id').primaryKey(),
  userId: integer('user_id').notNull(),
  index: integer('index').notNull(),
  commitment: text('commitment').notNull(),
  sealedSeed: jsonb('sealed_seed'),
  endedAt: timestamp('ended_at', { withTimezone: true }),
})
const prizes = pgTable('prizes', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  winFrequency: integer('win_frequency').notNull(),
  totalPacks: integer('total_packs').notNull(),
  redCoinAmount: coins('red_coin_amount').notNull(),
  packQuantity: integer('pack_quantity').notNull(),
  imageHash: text('image_hash'),
  stock: integer('inventory_quantity'),
})
const prizePackTypes = pgTable('prize_pack_types', {
  prizeId: integer('prize_id').notNull(),
  packTypeId: integer('pack_type_id').notNull(),
})
const oddsTables = pgTable('odds_tables', {
  id: integer('id').primaryKey(),
  packTypeId: integer('pack_type_id').notNull(),
  tableHash: text('table_hash').notNull(),
})
const requests = pgTable('opening_requests', {
  id: uuid('id').primaryKey(),
  userId: integer('user_id').notNull(),
  packTypeId: integer('pack_type_id').notNull(),
  chainId: integer('chain_id').notNull(),
  index: integer('chain_index').notNull(),
  serverSeed: text('server_seed').notNull(),
  entropy: text('entropy').notNull(),
  entropyFrom: text('entropy_from').notNull(),
  next: text('next_commitment').notNull(),
  oddsTableId: integer('odds_table_id').notNull(),
  quantity: integer('quantity').notNull(),
  consolation: coins('consolation_red_coin').notNull(),
  createdAt: now(),
})
const openings = pgTable('pack_openings', {
  id: coins('id').generatedByDefaultAsIdentity(),
  requestId: uuid('request_id').notNull(),
  userId: integer('user_id').notNull(),
  packTypeId: integer('pack_type_id').notNull(),
  prizeId: integer('prize_id'),
  earned: coins('red_coin_earned').notNull(),
  position: integer('position').notNull(),
  createdAt: now(),
})
const claims = pgTable('prize_claims', {
  userId: integer('user_id').notNull(),
  prizeId: integer('prize_id').notNull(),
  claimId: text('claim_id').notNull(),
  status: text('status').notNull(),
  openingId: coins('pack_opening_id').notNull(),
  name: text('prize_name').notNull(),
  description: text('prize_description').notNull(),
  redCoinAmount: coins('red_coin_amount').notNull(),
  packQuantity: integer('pack_quantity').notNull(),
  imageHash: text('image_hash'),
})
const coinHistory = pgTable('red_coin_transactions', {
  userId: integer('user_id').notNull(),
  amount: coins('amount').notNull(),
  type: text('type').notNull(),
  prizeId: integer('prize_id'),
  openingId: coins('pack_opening_id'),
  balanceAfter: coins('balance_after').notNull(),
  sourceType: text('source_type').notNull(),
  sourceId: text('source_id').notNull(),
  createdAt: now(),
})
const packHistory = pgTable('pack_transactions', {
  userId: integer('user_id').notNull(),
  packTypeId: integer('pack_type_id').notNull(),
  delta: integer('delta').notNull(),
  quantityAfter: integer('quantity_after').notNull(),
  type: text('type').notNull(),
  sourceType: text('source_type').notNull(),
  sourceId: text('source_id').notNull(),
  createdAt: now(),
})
const stockHistory = pgTable('stock_events', {
  kind: text('kind').notNull(),
  refId: integer('ref_id').notNull(),
  delta: integer('delta').notNull(),
  sourceType: text('source_type').notNull(),
  sourceId: text('source_id').notNull(),
  createdAt: now(),
})

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const db = drizzle(pool)
type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0]
const seeds = drawSeeds(systemRandom, encryptionWith(benchEncryptionKey, systemRandom))
const consolation = 5

async function open(tx: Transaction, userId: number, packTypeId: number, quantity: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  const mine = and(eq(userPacks.userId, userId), eq(userPacks.packTypeId, packTypeId))
  const [holding] = await tx.select().from(userPacks).where(mine).for('update')
  const open = and(eq(chains.userId, userId), isNull(chains.endedAt))
  const [chain] = await tx.select().from(chains).where(open).for('update')
  if (!user || !holding || !chain || holding.quantity < quantity) throw new Error('no scene')
  const table = await tx
    .select()
    .from(prizes)
    .innerJoin(prizePackTypes, eq(prizePackTypes.prizeId, prizes.id))
    .where(eq(prizePackTypes.packTypeId, packTypeId))
    .orderBy(prizes.id)
  const entries = table.map(({ prizes: prize }) => ({ ...prize, prizeId: prize.id }))
  const [odds] = await tx.select().from(oddsTables).where(eq(oddsTables.packTypeId, packTypeId))
  const { sealedSeed, id: chainId, index, commitment } = chain
  if (!isSealedText(sealedSeed)) throw new Error('no seed')
  const seed = seeds.open({ chainId, index, commitment, sealedSeed })
  if (!seed) throw new Error('no seed')
  const next = seeds.make(chainId, index + 1)
  const entropy = randomBytes(32).toString('hex')
  const tableHash = odds?.tableHash ?? ''
  const rolls = rollsOf({ seed, entropy, tableHash }, quantity, nodeHashing)
  const requestId = randomUUID()
  const request = { requestId, userId, packTypeId }
  await tx.insert(requests).values({
    id: requestId,
    userId,
    packTypeId,
    chainId,
    index,
    serverSeed: Buffer.from(seed).toString('hex'),
    entropy,
    entropyFrom: 'server',
    next: next.commitment,
    oddsTableId: odds?.id ?? 0,
    quantity,
    consolation,
  })
  const thresholds = thresholdsOf(entries)
  let { balance } = user
  const results = []
  for (const [position, roll] of rolls.entries()) {
    const entry = entries[entryAt(thresholds, roll) ?? -1]
    const earned = entry === undefined ? consolation : entry.redCoinAmount
    balance += earned
    results.push(await openOne(tx, request, position, entry, earned, balance))
  }
  const left = holding.quantity - quantity
  await tx.update(userPacks).set({ quantity: left }).where(eq(userPacks.id, holding.id))
  await tx.insert(packHistory).values({
    userId,
    packTypeId,
    delta: -quantity,
    quantityAfter: left,
    type: 'open',
    sourceType: 'opening_request',
    sourceId: requestId,
  })
  await tx
    .update(chains)
    .set({ index: index + 1, commitment: next.commitment, sealedSeed: next.sealed })
    .where(eq(chains.id, chainId))
  await tx.update(users).set({ balance }).where(eq(users.id, userId))
  return { results, updatedBalance: balance }
}

type Entry = Omit<typeof prizes.$inferSelect, 'stock'> & { readonly stock: number | null }

async function openOne(
  tx: Transaction,
  request: { readonly requestId: string; readonly userId: number; readonly packTypeId: number },
  position: number,
  entry: Entry | undefined,
  earned: number,
  balanceAfter: number,
) {
  const prizeId = entry?.id ?? null
  const [opening] = await tx
    .insert(openings)
    .values({ ...request, prizeId, earned, position })
    .returning({ id: openings.id })
  const openingId = opening?.id ?? 0
  const { userId } = request
  if (earned > 0) {
    await tx.insert(coinHistory).values({
      userId,
      amount: earned,
      type: entry === undefined ? 'pack_consolation' : 'prize_win',
      prizeId,
      openingId,
      balanceAfter,
      sourceType: 'opening',
      sourceId: String(openingId),
    })
  }
  if (entry === undefined) return { won: false, redCoinEarned: earned }
  const claimId = claimIdFrom(randomBytes(claimIdBytes))
  const { name, redCoinAmount, packQuantity, imageHash } = entry
  const status = earned > 0 ? 'completed' : 'pending'
  const won = { name, description: '', redCoinAmount, packQuantity, imageHash }
  await tx.insert(claims).values({ userId, prizeId: entry.id, claimId, status, openingId, ...won })
  if (entry.stock !== null) {
    const stock = sql`${prizes.stock} - 1`
    await tx.update(prizes).set({ stock }).where(eq(prizes.id, entry.id))
    const sourceId = `${request.requestId}-${position}`
    const taken = { kind: 'prize', refId: entry.id, delta: -1, sourceType: 'claim', sourceId }
    await tx.insert(stockHistory).values(taken)
  }
  return { won: true, prizeId: entry.id, claimId, redCoinEarned: earned }
}

const app = express()
app.use(express.json())
app.post('/api/packs/open', async (request, response) => {
  const token = /(?:^|; )sid=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  const [session] = await db
    .select()
    .from(sessions)
    .where(eq(sessions.tokenHash, sha256Hex(token)))
  const userId = session?.userId
  if (typeof userId !== 'number') {
    response.status(401).json({ message: 'Unauthorized' })
    return
  }
  const { packTypeId, quantity } = request.body as { packTypeId: number; quantity: number }
  response.json(await db.transaction((tx) => open(tx, userId, packTypeId, quantity)))
})
// Deadlocks are many and expected; their stacks would be most of what a benchmark prints.
app.use((_error: unknown, _request: Request, response: Response, _next: NextFunction) => {
  response.status(500).json({ message: 'Internal server error' })
})
app.listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.('ready'))
