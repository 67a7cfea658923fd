// Creates a pack type, or changes the given fields of one.

import type { Images } from '../../adapters/images/images.ts'
import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffCall } from '../../rules/staff-call.ts'
import { addPackType, changePackType, readPicture } from './tables.ts'
import {
  announcePackTypes,
  lockLivePackType,
  packTypeAnswer,
  pictureAfter,
  recordPackTypeChange,
  type SentPicture,
} from './write-pack-type.ts'

interface PackTypeTexts {
  readonly name: string
  readonly description: string
  readonly color: string
  readonly icon: string
}

export type NewPackType = PackTypeTexts & SentPicture
export type PackTypeChange = {
  readonly [K in keyof PackTypeTexts]?: PackTypeTexts[K] | undefined
} & SentPicture

const noPicture = { imageUrl: null, imageData: null, imageType: null }

/** @throws Refusal for a picture that is none or too large */
export async function createPackType(
  world: World,
  images: Images,
  staff: StaffCall,
  { name, description, color, icon, ...sent }: NewPackType,
) {
  const now = world.clock.now()
  const picture = await pictureAfter(images, sent, noPicture)
  const row = await world.db.transaction(async (tx) => {
    const after = await addPackType(tx, { name, description, color, icon, ...picture }, now)
    await recordPackTypeChange(tx, staff, 'create', { after, now })
    return after
  })
  announcePackTypes(world)
  return packTypeAnswer(row)
}

/**
 * Changes what is given and leaves the rest. The picture is drawn before the transaction, from what
 * was stored then; of two who change it at once the later one stands.
 * @throws Refusal not_found, and for a picture that is none or too large
 */
export async function updatePackType(
  world: World,
  images: Images,
  staff: StaffCall,
  id: number,
  change: PackTypeChange,
) {
  const now = world.clock.now()
  const stored = await readPicture(world.db, id)
  if (stored === undefined) throw new Refusal('not_found', 'Pack type not found')
  const { file, imageUrl, imageData } = change
  const isTouched = file !== undefined || imageUrl !== undefined || imageData !== undefined
  const picture = isTouched ? await pictureAfter(images, change, stored) : {}
  const row = await world.db.transaction(async (tx) => {
    const before = await lockLivePackType(tx, id)
    const values = {
      name: change.name ?? before.name,
      description: change.description ?? before.description,
      color: change.color ?? before.color,
      icon: change.icon ?? before.icon,
      imageUrl: before.imageUrl,
      imageData: before.imageData,
      imageType: before.imageType,
      ...picture,
    }
    const after = await changePackType(tx, id, values, now)
    await recordPackTypeChange(tx, staff, 'update', { before, after, now })
    return after
  })
  announcePackTypes(world)
  return packTypeAnswer(row)
}
