// The pictures that are asked for most, kept in memory so that a page of packs costs no query.

import type { World } from '../../adapters/world.ts'
import { readImage, type StoredImage } from './tables.ts'
import { type ImageKeeping, imageName } from './upload-image.ts'

export interface ServedImage {
  readonly type: string
  readonly bytes: Buffer
}

const bytesMax = 32 * 1024 * 1024

/** Answers pictures by their hash. What a hash names never changes, so nothing kept goes stale. */
export class KeptImages {
  private readonly world: Pick<World, 'db'>
  private readonly keeping: Pick<ImageKeeping, 'bucket'>
  private readonly kept = new Map<string, ServedImage>()
  private bytes = 0

  constructor(world: Pick<World, 'db'>, keeping: Pick<ImageKeeping, 'bucket'>) {
    this.world = world
    this.keeping = keeping
  }

  /** Undefined when no picture has this hash. @throws Unavailable when the bucket is */
  async find(hash: string): Promise<ServedImage | undefined> {
    const kept = this.kept.get(hash)
    if (kept !== undefined) {
      // What was asked for last stands last, and goes last.
      this.kept.delete(hash)
      this.kept.set(hash, kept)
      return kept
    }
    const stored = await readImage(this.world.db, hash)
    const bytes = stored === undefined ? undefined : await this.bytesOf(hash, stored)
    if (stored === undefined || bytes === undefined) return undefined
    const served = { type: stored.type, bytes }
    this.keep(hash, served)
    return served
  }

  private async bytesOf(hash: string, stored: StoredImage): Promise<Buffer | undefined> {
    return stored.bytes ?? (await this.keeping.bucket?.get(imageName(hash)))
  }

  private keep(hash: string, image: ServedImage): void {
    if (this.kept.has(hash)) return
    this.kept.set(hash, image)
    this.bytes += image.bytes.length
    for (const [oldest, { bytes }] of this.kept) {
      if (this.bytes <= bytesMax) return
      this.kept.delete(oldest)
      this.bytes -= bytes.length
    }
  }
}
