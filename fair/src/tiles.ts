// The log's tiles and entry bundles (C2SP tlog-tiles): their addresses, what stands in them, and
// the roots that proofs are made of.

import { joined } from './bytes.ts'
import { hashBytes, type NodeHash, rootOfRun, tileWidth } from './tree.ts'
import { type LeafRange, rangeNodes, rootOfNodes, type TreeNode } from './tree-proofs.ts'

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

/** Entries as a bundle holds them: each behind its length in two bytes. */
export function bundleOf(entries: readonly Uint8Array[]): Uint8Array {
  return joined(
    ...entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]),
  )
}

/** The entries of a bundle; undefined when the bytes are no bundle of that many. */
export function entriesOfBundle(bundle: Uint8Array, count: number): Uint8Array[] | undefined {
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

/** Brings the bytes of a tile or bundle. */
export type LoadTile = (tile: TileName) => Promise<Uint8Array>

/**
 * Answers the roots of parts of a tree of `size` entries, of which proofs consist. Each tile is
 * loaded once; nothing is trusted, since a wrong hash makes a proof that proves nothing.
 */
export function tileRoots(
  size: number,
  load: LoadTile,
  node: NodeHash,
): (ranges: readonly LeafRange[]) => Promise<Uint8Array[]> {
  const tiles = new Map<string, Promise<Uint8Array>>()
  const tileAt = (level: number, index: number) => {
    const tile = { level, index, width: tileWidthAt(size, { level, index }) }
    const path = tilePath(tile)
    const loading = tiles.get(path) ?? load(tile)
    tiles.set(path, loading)
    return loading
  }
  const rootOfNode = async (place: TreeNode) => {
    const { level, first, count } = runOfNode(place)
    const tile = await tileAt(level, Math.floor(first / tileWidth))
    const at = first % tileWidth
    const hashes = Array.from({ length: count }, (_, offset) =>
      tile.subarray((at + offset) * hashBytes, (at + offset + 1) * hashBytes),
    )
    return rootOfRun(hashes, node)
  }
  return (ranges) =>
    Promise.all(
      ranges.map(async (range) =>
        rootOfNodes(await Promise.all(rangeNodes(range).map(rootOfNode)), node),
      ),
    )
}
