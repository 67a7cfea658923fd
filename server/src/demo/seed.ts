// Fills an empty sandbox with the demo content. Its RedCoin, packs and stock come from the ledger,
// and its past openings are openings; pack types, streams and viewers are rows of its own.

import { readFile } from 'node:fs/promises'
import { type Queryable, statement } from '../adapters/db/database.ts'
import type { Deps } from '../adapters/deps.ts'
import { addListing } from '../features/catalogue/listing-tables.ts'
import { addPrize, assignPackTypes } from '../features/catalogue/prize-tables.ts'
import { logCatchUp } from '../features/fairness/catch-up-log.ts'
import { changeBalance, changeHolding } from '../features/ledger/ledger-tables.ts'
import { setStock } from '../features/ledger/stock-tables.ts'
import { Opening } from '../features/packs/open-packs.ts'
import {
  type DemoPackKey,
  demoListings,
  demoPackTypes,
  demoPrizes,
  demoStreams,
} from './catalogue.ts'
import { type DemoViewer, demoViewers, newcomerPacks } from './viewers.ts'

type PackIds = ReadonlyMap<DemoPackKey, number>

const demoStock = { type: 'created', id: 'demo' } as const

const isEmpty = statement(
  'is_database_empty',
  'SELECT NOT EXISTS (SELECT FROM pack_types) AND NOT EXISTS (SELECT FROM users) AS empty',
)
const addPackType = statement(
  'add_demo_pack_type',
  `INSERT INTO pack_types (name, description, color, icon, image_url) VALUES ($1, $2, $3, $4, $5)
   RETURNING id`,
)
const addStream = statement(
  'add_demo_stream',
  `INSERT INTO twitch_streams (twitch_channel_id, channel_name, display_name, channel_url,
     watch_time_required, completion_message, reward_red_coin_amount, is_live, current_stream_id,
     stream_started_at)
   VALUES (:twitchChannelId, :channelName, :displayName, :channelUrl, :watchTimeRequiredSeconds,
     :completionMessage, :rewardRedCoinAmount, :isLive, :currentStreamId, :startedAt) RETURNING id`,
)
const addStreamReward = statement(
  'add_demo_stream_reward',
  'INSERT INTO stream_rewards (stream_id, pack_type_id, pack_quantity) VALUES ($1, $2, $3)',
)
const addViewer = statement(
  'add_demo_viewer',
  `INSERT INTO users (twitch_id, username, display_name, avatar, created_at)
   VALUES ($1, $2, $3, $4, $5) RETURNING id`,
)
const packIdsByArt = statement(
  'demo_pack_ids_by_art',
  'SELECT id, image_url FROM pack_types WHERE image_url = ANY($1::text[]) AND archived_at IS NULL',
)

/**
 * Adds the demo content when the database holds neither pack types nor users. Answers whether it
 * did.
 */
export async function seedDemo(deps: Deps): Promise<boolean> {
  const now = deps.clock.now()
  const packIds = await deps.db.transaction(async (tx) => {
    const [state] = await tx.run<{ empty: boolean }>(isEmpty, [])
    if (state?.empty !== true) return undefined
    const ids = await seedPackTypes(tx)
    await seedPrizes(tx, ids, now)
    await seedListings(tx, ids, now)
    await seedStreams(tx, ids, now)
    return ids
  })
  if (packIds === undefined) return false
  const opening = new Opening(deps, logCatchUp(deps))
  for (const [index, viewer] of demoViewers.entries()) {
    const joined = new Date(now.getTime() - (demoViewers.length - index) * 86_400_000)
    const userId = await deps.db.transaction((tx) => seedViewer(tx, packIds, viewer, joined))
    for (const { packType, quantity } of viewer.pastOpenings) {
      const packTypeId = idOf(packIds, packType)
      await opening.open(userId, { packTypeId, quantity, idempotencyKey: undefined })
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
    await givePacks(tx, userId, packTypeId, quantity, now)
  }
}

async function currentPackIds(tx: Queryable): Promise<PackIds> {
  const art = demoPackTypes.map(({ imageUrl }) => imageUrl)
  const rows = await tx.run<{ id: number; image_url: string | null }>(packIdsByArt, [art])
  return new Map(
    demoPackTypes.flatMap(({ key, imageUrl }) => {
      const row = rows.find(({ image_url }) => image_url === imageUrl)
      return row === undefined ? [] : [[key, row.id] as const]
    }),
  )
}

async function givePacks(
  tx: Queryable,
  userId: number,
  packTypeId: number,
  quantity: number,
  now: Date,
): Promise<void> {
  await changeHolding(tx, {
    userId,
    packTypeId,
    delta: quantity,
    type: 'opening_balance',
    description: 'Demo packs',
    sourceType: 'demo',
    sourceId: 'packs',
    now,
  })
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
  for (const { packReward, inventoryQuantity, packTypes, artFile, ...prize } of demoPrizes) {
    const values = {
      ...prize,
      packTypeId: packReward === null ? null : idOf(ids, packReward.packType),
      packQuantity: packReward?.quantity ?? 0,
      isAlsoSent: false,
      imageData: await artOf(artFile),
      imageType: 'image/webp',
      isActive: true,
    }
    const id = await addPrize(tx, values, now)
    if (inventoryQuantity !== null) {
      await setStock(tx, { kind: 'prize', id, quantity: inventoryQuantity, source: demoStock, now })
    }
    await assignPackTypes(
      tx,
      id,
      packTypes.map((key) => idOf(ids, key)),
    )
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
    const listing = {
      packTypeId: idOf(ids, packType),
      redCoinPrice,
      customImage: null,
      isUnlimited: quantityAvailable === null,
      isActive: true,
      sortOrder,
    }
    const id = await addListing(tx, listing, now)
    const quantity = quantityAvailable ?? 0
    await setStock(tx, { kind: 'listing', id, quantity, source: demoStock, now })
  }
}

async function seedStreams(tx: Queryable, ids: PackIds, now: Date): Promise<void> {
  for (const stream of demoStreams) {
    const streamId = await insertedId(
      tx.run(addStream, {
        twitchChannelId: stream.twitchChannelId,
        channelName: stream.channelName,
        displayName: stream.displayName,
        channelUrl: stream.channelUrl,
        watchTimeRequiredSeconds: stream.watchTimeRequiredSeconds,
        completionMessage: stream.completionMessage,
        rewardRedCoinAmount: stream.rewardRedCoinAmount,
        isLive: stream.isLive,
        currentStreamId: stream.isLive ? `demo-${stream.twitchChannelId}` : null,
        startedAt: stream.isLive ? now : null,
      }),
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
    tx.run(addViewer, [twitchId, username, displayName, avatar, joined]),
  )
  await changeBalance(tx, {
    userId,
    amount: redCoinBalance,
    type: 'opening_balance',
    description: 'Demo balance',
    sourceType: 'demo',
    sourceId: 'balance',
    now: joined,
  })
  for (const { key } of demoPackTypes) {
    const opened = viewer.pastOpenings
      .filter(({ packType }) => packType === key)
      .reduce((sum, { quantity }) => sum + quantity, 0)
    const quantity = (viewer.packs[key] ?? 0) + opened
    if (quantity > 0) await givePacks(tx, userId, idOf(ids, key), quantity, joined)
  }
  return userId
}
