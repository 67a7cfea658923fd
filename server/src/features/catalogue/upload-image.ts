// Keeps a picture that staff uploaded and says where it is served.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { CleanImage } from '../../adapters/images/images.ts'
import { storeImage } from './image-tables.ts'

type ImageKeeping = Pick<Deps, 'images' | 'bucket'>

/** Name of the picture with this hash, in its address and in the bucket. */
export const imageName = (hash: string) => `${hash}.webp`

/**
 * Draws the picture anew. Where there is a bucket its bytes go there, before any row points to
 * them.
 * @throws DomainError for what is no picture or too large, Unavailable when the bucket is
 */
export async function drawImage(
  { images, bucket }: ImageKeeping,
  bytes: Buffer,
): Promise<CleanImage> {
  const clean = await images.fromBytes(bytes)
  await bucket?.put(imageName(clean.hash), clean.type, clean.bytes)
  return clean
}

/** Stores a picture under its hash, the same one once. Answers where it is served. */
export async function keepImage(
  tx: Queryable,
  { now }: Author,
  { bucket }: ImageKeeping,
  { hash, type, bytes, width, height }: CleanImage,
): Promise<Outcome<{ url: string }>> {
  await storeImage(tx, { hash, type, bytes: bucket === undefined ? bytes : null }, now)
  const target = { targetType: 'image', targetId: hash }
  const after = { width, height, bytes: bytes.length }
  return {
    answer: { url: `/uploads/${imageName(hash)}` },
    audit: { action: 'image.upload', ...target, after },
  }
}
