// The pictures that are asked for most, kept in memory so that a page of packs costs no query.

import { LRUCache } from 'lru-cache'
import type { Deps } from '../../adapters/deps.ts'
import { readImage, type StoredImage } from './image-tables.ts'
import { imageName } from './upload-image.ts'

export interface ServedImage {
  readonly type: string
  readonly bytes: Buffer
}

const bytesMax = 32 * 1024 * 1024

/** Answers pictures by their hash. What a hash names never changes, so nothing kept goes stale. */
export class KeptImages {
  private readonly deps: Pick<Deps, 'db' | 'bucket'>
  private readonly kept = new LRUCache<string, ServedImage>({
    maxSize: bytesMax,
    sizeCalculation: ({ bytes }) => bytes.length || 1,
  })

  constructor(deps: Pick<Deps, 'db' | 'bucket'>) {
    this.deps = deps
  }

  /** Undefined when no picture has this hash. @throws Unavailable when the bucket is */
  async find(hash: string): Promise<ServedImage | undefined> {
    const kept = this.kept.get(hash)
    if (kept !== undefined) return kept
    const stored = await readImage(this.deps.db, hash)
    const bytes = stored === undefined ? undefined : await this.bytesOf(hash, stored)
    if (stored === undefined || bytes === undefined) return undefined
    const served = { type: stored.type, bytes }
    this.kept.set(hash, served)
    return served
  }

  private async bytesOf(hash: string, stored: StoredImage): Promise<Buffer | undefined> {
    return stored.bytes ?? (await this.deps.bucket?.get(imageName(hash)))
  }
}
