// Fills an empty sandbox with the demo content, through the same doors as everything else.

import { readFile } from 'node:fs/promises'
import { type Queryable, statement } from '../adapters/db/database.ts'
import type { World } from '../adapters/world.ts'
import { logCatchUp } from '../features/draw-log/catch-up.ts'
import { OddsCache } from '../features/packs/odds-cache.ts'
import { openPacks } from '../features/packs/open-packs.ts'
import { Turns } from '../features/packs/turns.ts'
import {
  type DemoPackKey,
  demoListings,
  demoPackTypes,
  demoPrizes,
  demoStreams,
} from './catalogue.ts'
import { type DemoViewer, demoViewers, newcomerPacks } from './viewers.ts'

type PackIds = ReadonlyMap<DemoPackKey, number>

const isEmpty = statement(
  'is_database_empty',
  'SELECT NOT EXISTS (SELECT FROM pack_types) AND NOT EXISTS (SELECT FROM users) AS empty',
)
const addPackType = statement(
  'add_demo_pack_type',
  `INSERT INTO pack_types (name, description, color, icon, image_url) VALUES ($1, $2, $3, $4, $5)
   RETURNING id`,
)
const addPrize = statement(
  'add_demo_prize',
  `INSERT INTO prizes (name, description, claim_instructions, win_frequency, total_packs,
     red_coin_amount, pack_type_id, pack_quantity, inventory_quantity, image_data, image_type)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id`,
)
const assignPrize = statement(
  'assign_demo_prize',
  'INSERT INTO prize_pack_types (prize_id, pack_type_id) VALUES ($1, $2)',
)
const addListing = statement(
  'add_demo_listing',
  `INSERT INTO store_pack_listings (pack_type_id, red_coin_price, quantity_available, is_unlimited,
     sort_order) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
)
const addStock = statement(
  'add_demo_stock',
  `INSERT INTO stock_events (kind, ref_id, delta, quantity_after, source_type, source_id,
     created_at)
   VALUES ($1, $2, $3, $3, 'created', 'demo', $4)`,
)
const addStream = statement(
  'add_demo_stream',
  `INSERT INTO twitch_streams (twitch_channel_id, channel_name, display_name, channel_url,
     watch_time_required, completion_message, reward_red_coin_amount, is_live, current_stream_id,
     stream_started_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
)
const addStreamReward = statement(
  'add_demo_stream_reward',
  'INSERT INTO stream_rewards (stream_id, pack_type_id, pack_quantity) VALUES ($1, $2, $3)',
)
const addViewer = statement(
  'add_demo_viewer',
  `INSERT INTO users (twitch_id, username, display_name, avatar, red_coin_balance, created_at)
   VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
)
const openingBalance = statement(
  'add_demo_balance',
  `INSERT INTO red_coin_transactions (user_id, amount, type, description, balance_after,
     source_type,
     source_id, created_at)
   SELECT $1, $2, 'opening_balance', 'Demo balance', $2, 'demo', 'balance', $3 WHERE $2::bigint >
     0`,
)
const givePacks = statement(
  'give_demo_packs',
  `WITH holding AS (
    INSERT INTO user_packs (user_id, pack_type_id, quantity, updated_at) VALUES ($1, $2, $3, $4)
  )
  INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type, description,
    source_type, source_id, created_at)
  VALUES ($1, $2, $3, $3, 'opening_balance', 'Demo packs', 'demo', 'packs', $4)`,
)
const packIdsByArt = statement(
  'demo_pack_ids_by_art',
  'SELECT id, image_url FROM pack_types WHERE image_url = ANY($1::text[]) AND archived_at IS NULL',
)

/**
 * Adds the demo content when the database holds neither pack types nor users. Answers whether it
 * did.
 */
export async function seedDemo(world: World): Promise<boolean> {
  const now = world.clock.now()
  const packIds = await world.db.transaction(async (tx) => {
    const [state] = await tx.run<{ empty: boolean }>(isEmpty, [])
    if (state?.empty !== true) return undefined
    const ids = await seedPackTypes(tx)
    await seedPrizes(tx, ids, now)
    await seedListings(tx, ids, now)
    await seedStreams(tx, ids, now)
    return ids
  })
  if (packIds === undefined) return false
  const opening = {
    odds: new OddsCache(),
    turns: new Turns(),
    catchUpLog: logCatchUp(world),
  }
  for (const [index, viewer] of demoViewers.entries()) {
    const joined = new Date(now.getTime() - (demoViewers.length - index) * 86_400_000)
    const userId = await world.db.transaction((tx) => seedViewer(tx, packIds, viewer, joined))
    for (const { packType, quantity } of viewer.pastOpenings) {
      const packTypeId = idOf(packIds, packType)
      await openPacks(world, opening, userId, { packTypeId, quantity, idempotencyKey: undefined })
    }
  }
  return true
}

/**
 * Gives a newcomer of the sandbox packs to open; does nothing when the demo packs are not there.
 */
export async function welcomeNewcomer(tx: Queryable, userId: number, now: Date): Promise<void> {
  const ids = await currentPackIds(tx)
  for (const { key } of demoPackTypes) {
    const quantity = newcomerPacks[key] ?? 0
    const packTypeId = ids.get(key)
    if (quantity < 1 || packTypeId === undefined) continue
    await tx.run(givePacks, [userId, packTypeId, quantity, now])
  }
}

async function currentPackIds(tx: Queryable): Promise<PackIds> {
  const art = demoPackTypes.map(({ imageUrl }) => imageUrl)
  const rows = await tx.run<{ id: number; image_url: string }>(packIdsByArt, [art])
  return new Map(
    demoPackTypes.flatMap(({ key, imageUrl }) => {
      const row = rows.find(({ image_url }) => image_url === imageUrl)
      return row === undefined ? [] : [[key, row.id] as const]
    }),
  )
}

function idOf(ids: PackIds, key: DemoPackKey): number {
  const id = ids.get(key)
  if (id === undefined) throw new Error(`The demo content names an unknown pack ${key}`)
  return id
}

async function insertedId(rows: Promise<{ id: number }[]>): Promise<number> {
  const [row] = await rows
  if (row === undefined) throw new Error('A demo row was not added')
  return row.id
}

async function seedPackTypes(tx: Queryable): Promise<PackIds> {
  const ids = new Map<DemoPackKey, number>()
  for (const { key, name, description, color, icon, imageUrl } of demoPackTypes) {
    ids.set(key, await insertedId(tx.run(addPackType, [name, description, color, icon, imageUrl])))
  }
  return ids
}

async function seedPrizes(tx: Queryable, ids: PackIds, now: Date): Promise<void> {
  for (const prize of demoPrizes) {
    const { packReward, inventoryQuantity } = prize
    const prizeId = await insertedId(
      tx.run(addPrize, [
        prize.name,
        prize.description,
        prize.claimInstructions,
        prize.winFrequency,
        prize.totalPacks,
        prize.redCoinAmount,
        packReward === null ? null : idOf(ids, packReward.packType),
        packReward?.quantity ?? 0,
        inventoryQuantity,
        await artOf(prize.artFile),
        'image/webp',
      ]),
    )
    for (const key of prize.packTypes) await tx.run(assignPrize, [prizeId, idOf(ids, key)])
    if (inventoryQuantity !== null && inventoryQuantity > 0) {
      await tx.run(addStock, ['prize', prizeId, inventoryQuantity, now])
    }
  }
}

/**
 * The bundle lies in `server/dist`, the source in `server/src/demo`; the pictures in
 * `server/assets`.
 */
async function artOf(file: string): Promise<string> {
  const here = import.meta.url.includes('/dist/') ? '../assets/demo/' : '../../assets/demo/'
  return (await readFile(new URL(`${here}${file}`, import.meta.url))).toString('base64')
}

async function seedListings(tx: Queryable, ids: PackIds, now: Date): Promise<void> {
  for (const { packType, redCoinPrice, quantityAvailable, sortOrder } of demoListings) {
    const listingId = await insertedId(
      tx.run(addListing, [
        idOf(ids, packType),
        redCoinPrice,
        quantityAvailable ?? 0,
        quantityAvailable === null,
        sortOrder,
      ]),
    )
    if (quantityAvailable !== null && quantityAvailable > 0) {
      await tx.run(addStock, ['listing', listingId, quantityAvailable, now])
    }
  }
}

async function seedStreams(tx: Queryable, ids: PackIds, now: Date): Promise<void> {
  for (const stream of demoStreams) {
    const streamId = await insertedId(
      tx.run(addStream, [
        stream.twitchChannelId,
        stream.channelName,
        stream.displayName,
        stream.channelUrl,
        stream.watchTimeRequiredSeconds,
        stream.completionMessage,
        stream.rewardRedCoinAmount,
        stream.isLive,
        stream.isLive ? `demo-${stream.twitchChannelId}` : null,
        stream.isLive ? now : null,
      ]),
    )
    for (const { packType, packQuantity } of stream.rewards) {
      await tx.run(addStreamReward, [streamId, idOf(ids, packType), packQuantity])
    }
  }
}

async function seedViewer(
  tx: Queryable,
  ids: PackIds,
  viewer: DemoViewer,
  joined: Date,
): Promise<number> {
  const { twitchId, username, displayName, avatar, redCoinBalance } = viewer
  const userId = await insertedId(
    tx.run(addViewer, [twitchId, username, displayName, avatar, redCoinBalance, joined]),
  )
  await tx.run(openingBalance, [userId, redCoinBalance, joined])
  for (const { key } of demoPackTypes) {
    const opened = viewer.pastOpenings
      .filter(({ packType }) => packType === key)
      .reduce((sum, { quantity }) => sum + quantity, 0)
    const quantity = (viewer.packs[key] ?? 0) + opened
    if (quantity > 0) await tx.run(givePacks, [userId, idOf(ids, key), quantity, joined])
  }
  return userId
}
