// The first day of the demo: pack types, prizes, store and streams as staff enter them.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { CreatePrizeRequest, CreateStreamRequest } from '@redpack/contract'
import { ensureLocalAdmin } from '../features/account/tables.ts'
import type { StoredImage } from '../features/catalogue/image-tables.ts'
import { createListing } from '../features/catalogue/listings.ts'
import { createPackType } from '../features/catalogue/pack-types.ts'
import { addCodes } from '../features/catalogue/prize-codes.ts'
import { createPrize } from '../features/catalogue/prizes.ts'
import { createStream } from '../features/watch/streams.ts'
import { demoListings, demoPackTypes, demoPrizes, demoStreams } from './catalogue.ts'
import type { StoryAct } from './story-events.ts'
import type { StoryScene } from './story-scene.ts'

/** The name of the local account where the settings give it none. */
const localNameDefault = 'admin'

/**
 * Everything that has to be there before the first viewer comes. Of limited listings there is what
 * the story sells and what shall be left of it.
 */
export async function foundDemo(
  scene: StoryScene,
  { sold, deadlineDaysMax }: Extract<StoryAct, { kind: 'found' }>,
): Promise<void> {
  const keeper = await localAccountId(scene)
  for (const packType of demoPackTypes) {
    await scene.command(keeper, (tx, by) => createPackType(tx, by, packType, null))
  }
  await addPrizes(scene, keeper, deadlineDaysMax)
  for (const { packType, redCoinPrice, quantityAvailable, sortOrder } of demoListings) {
    const left = quantityAvailable ?? 0
    const listing = {
      packTypeId: await scene.packTypeId(packType),
      redCoinPrice,
      customImage: null,
      isUnlimited: quantityAvailable === null,
      isActive: true,
      sortOrder,
      quantityAvailable: quantityAvailable === null ? 0 : left + (sold.get(packType) ?? 0),
    }
    await scene.command(keeper, (tx, by) => createListing(tx, by, listing))
  }
  await addStreams(scene, keeper)
}

/** The protected account that the operator signs in with. */
export async function localAccountId({ deps, clock }: StoryScene): Promise<number> {
  const name = deps.config.localAdmin?.username ?? localNameDefault
  const id = await ensureLocalAdmin(deps.db, name, clock.now())
  if (id === undefined) throw new Error('The local account has no row')
  return id
}

async function addPrizes(
  scene: StoryScene,
  keeper: number,
  deadlineDaysMax: number,
): Promise<void> {
  for (const { packReward, packTypes, artFile, codes, isForKeeper, ...prize } of demoPrizes) {
    const { deadlineDays } = prize
    const picture = await artOf(artFile)
    const values = CreatePrizeRequest.parse({
      ...prize,
      deadlineDays: deadlineDays && Math.min(deadlineDays, deadlineDaysMax),
      handlerId: isForKeeper ? keeper : null,
      deliversCodes: codes !== undefined,
      packTypeId: packReward === null ? null : await scene.packTypeId(packReward.packType),
      packQuantity: packReward?.quantity ?? 0,
      packTypeIds: await Promise.all(packTypes.map((key) => scene.packTypeId(key))),
    })
    await scene.command(keeper, (tx, by) => createPrize(tx, by, values, picture))
    if (codes === undefined) continue
    const id = await scene.prizeId(prize.name)
    const { encryption } = scene.deps
    await scene.command(keeper, (tx, by) => addCodes(tx, by, encryption, id, codes))
  }
}

/**
 * The bundle lies in `server/dist`, the source in `server/src/demo`; the pictures in
 * `server/assets`.
 */
async function artOf(file: string): Promise<StoredImage> {
  const here = import.meta.url.includes('/dist/') ? '../assets/demo/' : '../../assets/demo/'
  const bytes = await readFile(new URL(`${here}${file}`, import.meta.url))
  return { hash: createHash('sha256').update(bytes).digest('hex'), type: 'image/webp', bytes }
}

async function addStreams(scene: StoryScene, keeper: number): Promise<void> {
  for (const { isLive: _isLive, rewards, ...stream } of demoStreams) {
    const order = CreateStreamRequest.parse({
      ...stream,
      rewards: await Promise.all(
        rewards.map(async ({ packType, packQuantity }) => {
          const packTypeId = await scene.packTypeId(packType)
          return { packTypeId, packQuantity }
        }),
      ),
    })
    await scene.command(keeper, (tx, by) => createStream(tx, by, order))
  }
}
