// Keeps a picture that staff uploaded and says where it is served.

import type { Bucket } from '../../adapters/images/bucket.ts'
import type { Images } from '../../adapters/images/images.ts'
import type { World } from '../../adapters/world.ts'
import type { Actor } from '../../rules/roles.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { storeImage } from './tables.ts'

export interface ImageKeeping {
  readonly images: Images
  /** Undefined while pictures stand in the database. */
  readonly bucket: Bucket | undefined
}

/** Name of the picture with this hash, in its address and in the bucket. */
export const imageName = (hash: string) => `${hash}.webp`

/**
 * Draws the picture anew and stores it under the hash of what came out; the same picture is stored
 * once. Bytes go to the bucket first, so that no row points to nothing.
 * @throws Refusal for what is no picture or too large, Unavailable when the bucket is
 */
export async function uploadImage(
  world: World,
  { images, bucket }: ImageKeeping,
  actor: Actor,
  bytes: Buffer,
  requestId: string,
): Promise<string> {
  const clean = await images.fromBytes(bytes)
  const name = imageName(clean.hash)
  if (bucket !== undefined) await bucket.put(name, clean.type, clean.bytes)
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const { hash, type } = clean
    await storeImage(tx, { hash, type, bytes: bucket === undefined ? clean.bytes : null }, now)
    await recordStaffAction(tx, {
      actorId: actor.userId,
      action: 'image.upload',
      targetType: 'image',
      targetId: hash,
      after: { width: clean.width, height: clean.height, bytes: clean.bytes.length },
      requestId,
      now,
    })
  })
  return `/uploads/${name}`
}
