// Addresses of the log's tiles and entry bundles, as C2SP tlog-tiles spells them.

import type { TreeNode } from './merkle-proof.ts'
import { tileWidth } from './merkle-tree.ts'

/** Binary levels of the tree in one tile. */
const tileHeight = 8
const levelMax = 63

/** A tile of hashes, or a bundle of entries, which has the place of a tile of level 0. */
export interface TileName {
  readonly level: number | 'entries'
  readonly index: number
  /** Hashes or entries in it: 256, or fewer at the right edge of a tree. */
  readonly width: number
}

/**
 * Reads `<L>/<N>[.p/<W>]`, where N stands in groups of three digits of which all but the last begin
 * with an x. Undefined for anything that is not spelled exactly so.
 */
export function parseTileName(path: string): TileName | undefined {
  const found = /^(entries|0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path)
  if (found === null) return undefined
  const [, levelText = '', indexText = '', widthText] = found
  // A group of zeros in front would be a second spelling of the same number.
  if (/^x000\//.test(indexText)) return undefined
  const level = levelText === 'entries' ? levelText : Number(levelText)
  const index = Number(indexText.replace(/[x/]/g, ''))
  const width = widthText === undefined ? tileWidth : Number(widthText)
  if (level !== 'entries' && level > levelMax) return undefined
  if (!Number.isSafeInteger(index) || (widthText !== undefined && width >= tileWidth)) {
    return undefined
  }
  return { level, index, width }
}

/** The path that `parseTileName` reads. */
export function tilePath({ level, index, width }: TileName): string {
  const digits = String(index)
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0')
  const groups = padded.match(/\d{3}/g) ?? []
  const spelled = groups.map((group, place) => (place < groups.length - 1 ? `x${group}` : group))
  const suffix = width === tileWidth ? '' : `.p/${width}`
  return `${level}/${spelled.join('/')}${suffix}`
}

/** Hashes or entries that a tree of `size` entries has in the place of a tile, 0 to 256. */
export function tileWidthAt(size: number, { level, index }: Omit<TileName, 'width'>): number {
  let units = size
  for (let below = 0; below < (level === 'entries' ? 0 : level) && units > 0; below += 1) {
    units = Math.floor(units / tileWidth)
  }
  return Math.max(0, Math.min(tileWidth, units - index * tileWidth))
}

/**
 * The hashes of one level of tiles from which a full subtree's root is made: it has all of them
 * when they fill a tile, since a tile's own root is a hash of the level above.
 */
export function runOfNode({ height, index }: TreeNode): {
  readonly level: number
  readonly first: number
  readonly count: number
} {
  const level = Math.floor(height / tileHeight)
  const count = 2 ** (height % tileHeight)
  return { level, first: index * count, count }
}
