// What the product is compared with: an opening written the ordinary way, one ORM statement per
// step.

import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Queryable } from '../server/src/adapters/db/database.ts'
import { sessions, users } from '../server/src/adapters/db/schema-accounts.ts'
import {
  packTransactions,
  redCoinTransactions,
  stockEvents,
} from '../server/src/adapters/db/schema-books.ts'
import {
  oddsTables,
  openingRequests,
  packOpenings,
  prizeClaims,
  prizePackTypes,
  prizes,
  seedPairs,
  userPacks,
} from '../server/src/adapters/db/schema-packs.ts'
import { fairRolls, sha256Hex } from '../server/src/adapters/random/rolls.ts'
import { serverSeeds } from '../server/src/adapters/random/server-seeds.ts'
import type { World } from '../server/src/adapters/world.ts'
import { claimIdBytes, claimIdFrom } from '../server/src/rules/claim-id.ts'
import { isSealedText } from '../server/src/rules/contact-info.ts'
import { entryAt } from '../server/src/rules/draw.ts'
import { oddsThresholds } from '../server/src/rules/odds.ts'

type Orm = Queryable['orm']

/** Mounts `POST /bench/plain-open`, which does what `/api/packs/open` does in the ordinary way. */
export function registerPlainOpening(app: FastifyInstance, world: World): void {
  app.post('/bench/plain-open', { config: { access: 'public' } }, async (request) => {
    const token = request.cookies['sid'] ?? ''
    const { packTypeId, quantity } = request.body as { packTypeId: number; quantity: number }
    return world.db.transaction((tx) => openPlainly(world, tx.orm, token, packTypeId, quantity))
  })
}

async function openPlainly(
  world: World,
  orm: Orm,
  token: string,
  packTypeId: number,
  quantity: number,
) {
  const now = world.clock.now()
  const [session] = await orm
    .select()
    .from(sessions)
    .where(eq(sessions.tokenHash, sha256Hex(token)))
  const userId = session?.userId ?? 0
  const [user] = await orm.select().from(users).where(eq(users.id, userId)).for('update')
  const holdingIs = and(eq(userPacks.userId, userId), eq(userPacks.packTypeId, packTypeId))
  const [holding] = await orm.select().from(userPacks).where(holdingIs).for('update')
  const pairIs = and(eq(seedPairs.userId, userId), eq(seedPairs.status, 'active'))
  const [pair] = await orm.select().from(seedPairs).where(pairIs).for('update')
  if (user === undefined || holding === undefined || pair === undefined) throw new Error('no scene')
  const table = await orm
    .select()
    .from(prizes)
    .innerJoin(prizePackTypes, eq(prizePackTypes.prizeId, prizes.id))
    .where(eq(prizePackTypes.packTypeId, packTypeId))
    .orderBy(prizes.id)
  const entries = table.map(({ prizes: prize }) => ({ ...prize, prizeId: prize.id }))
  const thresholds = oddsThresholds(entries)
  const serverSeed = serverSeeds(world.random, world.encryption).open({
    id: pair.id,
    serverSeed: pair.serverSeed,
    sealedServerSeed: isSealedText(pair.sealedServerSeed) ? pair.sealedServerSeed : null,
  })
  const [odds] = await orm.select().from(oddsTables).where(eq(oddsTables.packTypeId, packTypeId))
  const seeds = { scheme: 2, serverSeed, clientSeed: pair.clientSeed ?? '' } as const
  const rolls = fairRolls(seeds, odds?.tableHash ?? '', pair.nonce, quantity)
  const requestId = world.random.uuid()
  await orm.insert(openingRequests).values({
    id: requestId,
    userId,
    packTypeId,
    seedPairId: pair.id,
    oddsTableId: 1,
    firstNonce: pair.nonce,
    quantity,
    consolationRedCoin: 5,
    createdAt: now,
  })
  const step = { orm, userId, packTypeId, requestId, now, balance: user.redCoinBalance }
  const results = []
  for (const [offset, roll] of rolls.entries()) {
    const entry = entries[entryAt(thresholds, roll) ?? -1]
    results.push(await openOne(world, step, pair.nonce + offset, entry))
  }
  await orm
    .update(userPacks)
    .set({ quantity: sql`quantity - ${quantity}` })
    .where(holdingIs)
  await orm.insert(packTransactions).values({
    userId,
    packTypeId,
    delta: -quantity,
    quantityAfter: holding.quantity - quantity,
    type: 'open',
    sourceType: 'opening_request',
    sourceId: requestId,
    createdAt: now,
  })
  await orm
    .update(seedPairs)
    .set({ nonce: pair.nonce + quantity })
    .where(pairIs)
  await orm
    .update(users)
    .set({ redCoinBalance: step.balance, totalRedCoinWon: user.totalRedCoinWon })
    .where(eq(users.id, userId))
  return { results, updatedBalance: step.balance }
}

interface Step {
  readonly orm: Orm
  readonly userId: number
  readonly packTypeId: number
  readonly requestId: string
  readonly now: Date
  balance: number
}

type Entry = typeof prizes.$inferSelect | undefined

async function openOne(world: World, step: Step, nonce: number, entry: Entry) {
  const { orm, userId, packTypeId, requestId, now } = step
  const earned = entry === undefined ? 5 : entry.redCoinAmount
  const [opening] = await orm
    .insert(packOpenings)
    .values({
      requestId,
      userId,
      packTypeId,
      prizeId: entry?.id ?? null,
      redCoinEarned: earned,
      nonce,
      createdAt: now,
    })
    .returning()
  const openingId = opening?.id ?? 0
  if (earned > 0) {
    step.balance += earned
    await orm.insert(redCoinTransactions).values({
      userId,
      amount: earned,
      type: entry === undefined ? 'pack_consolation' : 'prize_win',
      prizeId: entry?.id ?? null,
      packOpeningId: openingId,
      balanceAfter: step.balance,
      sourceType: 'opening',
      sourceId: String(openingId),
      createdAt: now,
    })
  }
  if (entry === undefined) return { won: false, redCoinEarned: earned }
  const claimId = claimIdFrom(world.random.bytes(claimIdBytes))
  await orm.insert(prizeClaims).values({
    userId,
    prizeId: entry.id,
    claimId,
    status: earned > 0 ? 'completed' : 'pending',
    packOpeningId: openingId,
    prizeName: entry.name,
    redCoinAmount: entry.redCoinAmount,
    packQuantity: entry.packQuantity,
    imageHash: entry.imageHash,
  })
  if (entry.inventoryQuantity !== null) {
    await orm
      .update(prizes)
      .set({ inventoryQuantity: sql`inventory_quantity - 1` })
      .where(eq(prizes.id, entry.id))
    await orm.insert(stockEvents).values({
      kind: 'prize',
      refId: entry.id,
      delta: -1,
      sourceType: 'claim',
      sourceId: `${requestId}-${nonce}`,
      createdAt: now,
    })
  }
  return { won: true, prizeId: entry.id, claimId, redCoinEarned: earned }
}
