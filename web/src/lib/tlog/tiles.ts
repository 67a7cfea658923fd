// Tiles of a transparency log (C2SP tlog-tiles): their addresses, and the proofs made from them.

import { hashBytes, nodeHash, splitOf } from './merkle-tree.ts'

/** Hashes in a full tile, and entries in a full bundle. */
export const tileWidth = 256
const tileHeight = 8

/** Where a tile is served below the log's address; `entries` is a bundle of entries. */
export function tilePath(level: number | 'entries', index: number, width: number): string {
  const groups: string[] = []
  let rest = index
  do {
    groups.unshift(String(rest % 1000).padStart(3, '0'))
    rest = Math.floor(rest / 1000)
  } while (rest > 0)
  const name = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/')
  return `tile/${level}/${name}${width === tileWidth ? '' : `.p/${width}`}`
}

/** How many entries of a tree of this size stand in the bundle; the same holds for level 0. */
export function widthOf(index: number, size: number, level = 0): number {
  const total = Math.floor(size / tileWidth ** level)
  return Math.min(tileWidth, total - index * tileWidth)
}

/** Brings the hashes of one tile, `width` times 32 bytes. */
export type LoadTile = (level: number, index: number, width: number) => Promise<Uint8Array>

/** Answers hashes and proofs of a tree of one size; a tile is loaded once. */
export interface TileReader {
  leaf(index: number): Promise<Uint8Array>
  inclusionProof(index: number): Promise<Uint8Array[]>
  /** Shows that the tree of this size goes on from the one of the older size. */
  consistencyProof(olderSize: number): Promise<Uint8Array[]>
}

export function tileReader(size: number, load: LoadTile): TileReader {
  const tiles = new Map<string, Promise<Uint8Array>>()
  const hashAt = async (level: number, position: number): Promise<Uint8Array> => {
    const index = Math.floor(position / tileWidth)
    const key = `${level}/${index}`
    const tile = tiles.get(key) ?? load(level, index, widthOf(index, size, level))
    tiles.set(key, tile)
    const at = (position % tileWidth) * hashBytes
    return (await tile).slice(at, at + hashBytes)
  }
  /** Hash of the entries from `from` to before `to`, where `to - from` may be any number. */
  const rangeHash = async (from: number, to: number): Promise<Uint8Array> => {
    const height = Math.log2(to - from)
    if (Number.isInteger(height) && height % tileHeight === 0) {
      return hashAt(height / tileHeight, from / (to - from))
    }
    const middle = from + splitOf(to - from)
    return nodeHash(...(await Promise.all([rangeHash(from, middle), rangeHash(middle, to)])))
  }
  const path = async (index: number, from: number, to: number): Promise<Uint8Array[]> => {
    if (to - from === 1) return []
    const middle = from + splitOf(to - from)
    return index < middle
      ? [...(await path(index, from, middle)), await rangeHash(middle, to)]
      : [...(await path(index, middle, to)), await rangeHash(from, middle)]
  }
  /** RFC 6962, 2.1.2: `isWhole` while the range begins where the older tree begins. */
  const consistency = async (
    older: number,
    from: number,
    to: number,
    isWhole: boolean,
  ): Promise<Uint8Array[]> => {
    if (older === to) return isWhole ? [] : [await rangeHash(from, to)]
    const middle = from + splitOf(to - from)
    return older <= middle
      ? [...(await consistency(older, from, middle, isWhole)), await rangeHash(middle, to)]
      : [...(await consistency(older, middle, to, false)), await rangeHash(from, middle)]
  }
  return {
    leaf: (index) => hashAt(0, index),
    inclusionProof: (index) => path(index, 0, size),
    consistencyProof: async (older) =>
      older === 0 || older === size ? [] : consistency(older, 0, size, true),
  }
}

/**
 * The entries of a bundle: each behind its length in two bytes.
 * @returns undefined when the bytes are no bundle of that many entries
 */
export function entriesOf(bundle: Uint8Array, count: number): Uint8Array[] | undefined {
  const entries: Uint8Array[] = []
  let at = 0
  while (at + 2 <= bundle.length) {
    const end = at + 2 + (bundle[at] ?? 0) * 256 + (bundle[at + 1] ?? 0)
    if (end > bundle.length) return undefined
    entries.push(bundle.slice(at + 2, end))
    at = end
  }
  return at === bundle.length && entries.length === count ? entries : undefined
}
