// The Merkle tree of RFC 6962: how it grows in tiles of 256 hashes (C2SP tlog-tiles), its proofs,
// and how a log is followed up to a signed checkpoint. Hashing is passed in.

import { type Hashing, isSame, joined } from './bytes.ts'

/** What is wrong with a log, in a sentence: it contradicts itself, its key, or what was seen. */
export class LogFault extends Error {
  override readonly name = 'LogFault'
}

/** Bytes of a hash. */
export const hashBytes = 32

const leafMark = Uint8Array.of(0)
const nodeMark = Uint8Array.of(1)

/** The hashes of a tree (RFC 6962, 2.1), made with one implementation of SHA-256. */
export interface TreeHashes {
  /** `SHA-256(0x00 || entry)`: the hash under which an entry stands in the tree. */
  leafHash(entry: Uint8Array): Uint8Array
  /** `SHA-256(0x01 || left || right)`: the hash over two subtrees. */
  readonly nodeHash: NodeHash
  /** The root of a tree without entries: SHA-256 of nothing. */
  readonly emptyRoot: Uint8Array
}

export function treeHashes({ sha256 }: Pick<Hashing, 'sha256'>): TreeHashes {
  return {
    leafHash: (entry) => sha256(joined(leafMark, entry)),
    nodeHash: (left, right) => sha256(joined(nodeMark, left, right)),
    emptyRoot: sha256(new Uint8Array()),
  }
}

/** `SHA-256(0x01 || left || right)`. */
export type NodeHash = (left: Uint8Array, right: Uint8Array) => Uint8Array

/** Hashes of a tile, and leaves of the subtree that one hash of the level above stands for. */
export const tileWidth = 256

/**
 * The right edge of a tree: per level, from the leaves upwards, the hashes of the tile that is not
 * full yet. It is all that is needed to append and to tell the root.
 */
export type TreeEdge = readonly (readonly Uint8Array[])[]

/** The hash of a full subtree of 256^level leaves, counted by `position` from the left. */
export interface Subtree {
  readonly level: number
  readonly position: number
  readonly hash: Uint8Array
}

/** Where the hashes of the edge stand, level by level, in a tree of `size` leaves. */
export function edgeOf(size: number): { level: number; first: number; count: number }[] {
  const levels: { level: number; first: number; count: number }[] = []
  for (let level = 0, units = size; units > 0; level += 1, units = Math.floor(units / tileWidth)) {
    const count = units % tileWidth
    levels.push({ level, first: units - count, count })
  }
  return levels
}

/** Appends leaf hashes to a tree of `size` leaves; also answers the subtrees that became full. */
export function growTree(
  size: number,
  edge: TreeEdge,
  leaves: readonly Uint8Array[],
  node: NodeHash,
): { readonly edge: TreeEdge; readonly subtrees: readonly Subtree[] } {
  const rows = edge.map((row) => [...row])
  const subtrees: Subtree[] = []
  for (const [offset, leaf] of leaves.entries()) {
    let hash = leaf
    let units = size + offset + 1
    for (let level = 0; ; level += 1) {
      rows[level] ??= []
      rows[level]?.push(hash)
      if (units % tileWidth !== 0) break
      hash = rootOfRun(rows[level] ?? [], node)
      rows[level] = []
      units /= tileWidth
      subtrees.push({ level: level + 1, position: units - 1, hash })
    }
  }
  return { edge: rows, subtrees }
}

/** The root of a tree by its edge, undefined when it has no leaf. */
export function rootOfEdge(edge: TreeEdge, node: NodeHash): Uint8Array | undefined {
  let root: Uint8Array | undefined
  for (const row of edge) {
    const run = root === undefined ? row : [...row, root]
    if (run.length > 0) root = rootOfRun(run, node)
  }
  return root
}

/**
 * The root over neighbouring subtrees of one size, of which the last may be smaller. Pairs are
 * hashed and an odd one is handed up as it is, which gives the tree of RFC 6962: its left part is
 * always the largest full one.
 */
export function rootOfRun(hashes: readonly Uint8Array[], node: NodeHash): Uint8Array {
  let row = hashes
  while (row.length > 1) {
    const above: Uint8Array[] = []
    for (let index = 0; index < row.length; index += 2) {
      const [left, right] = [row[index], row[index + 1]]
      if (left !== undefined) above.push(right === undefined ? left : node(left, right))
    }
    row = above
  }
  const [root] = row
  if (root === undefined) throw new Error('A tree without leaves has no such root')
  return root
}

/** Leaves from `start` up to but not including `end`. */
export interface LeafRange {
  readonly start: number
  readonly end: number
}

/** A full subtree of 2^height leaves, counted by `index` from the left. */
export interface TreeNode {
  readonly height: number
  readonly index: number
}

/**
 * The subtrees whose roots prove that the leaf stands in a tree of `size` leaves, from the leaf's
 * sibling up to the root's child.
 */
export function inclusionRanges(leaf: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = []
  let [start, end] = [0, size]
  while (end - start > 1) {
    const middle = start + largestPowerBelow(end - start)
    if (leaf < middle) {
      ranges.push({ start: middle, end })
      end = middle
    } else {
      ranges.push({ start, end: middle })
      start = middle
    }
  }
  return ranges.reverse()
}

/**
 * The subtrees whose roots prove that the first `older` leaves of a tree of `size` leaves are those
 * of the tree that had `older` leaves; none when both are the same or the older one is empty.
 */
export function consistencyRanges(older: number, size: number): LeafRange[] {
  if (older === 0 || older === size) return []
  const ranges: LeafRange[] = []
  let [start, end] = [0, size]
  // The old tree as a whole is known to whoever asks.
  let isOldTree = true
  while (older !== end) {
    const middle = start + largestPowerBelow(end - start)
    if (older <= middle) {
      ranges.push({ start: middle, end })
      end = middle
    } else {
      ranges.push({ start, end: middle })
      start = middle
      isOldTree = false
    }
  }
  if (!isOldTree) ranges.push({ start, end })
  return ranges.reverse()
}

/** The full subtrees that a range is made of, largest first. It must begin where one can begin. */
export function rangeNodes({ start, end }: LeafRange): TreeNode[] {
  const nodes: TreeNode[] = []
  for (let at = start; at < end; ) {
    let [height, width] = [0, 1]
    while (width * 2 <= end - at && at % (width * 2) === 0) {
      width *= 2
      height += 1
    }
    nodes.push({ height, index: at / width })
    at += width
  }
  return nodes
}

/** The root over the full subtrees of one range, which are given largest first. */
export function rootOfNodes(hashes: readonly Uint8Array[], node: NodeHash): Uint8Array {
  const last = hashes.at(-1)
  if (last === undefined) throw new Error('A range without leaves has no root')
  return hashes.slice(0, -1).reduceRight((right, left) => node(left, right), last)
}

/** A tree as a checkpoint names it. */
export interface TreeHead {
  readonly size: number
  readonly root: Uint8Array
}

/**
 * Whether `path` proves that the leaf with this hash stands at `index` of the tree. Follows
 * RFC 9162, 2.1.3.2.
 */
export function provesInclusion(
  leaf: { readonly index: number; readonly hash: Uint8Array },
  tree: TreeHead,
  path: readonly Uint8Array[],
  node: NodeHash,
): boolean {
  if (leaf.index >= tree.size) return false
  let root = leaf.hash
  const isWhole = climb([leaf.index, tree.size - 1], path, (hash, isLeft) => {
    root = isLeft ? node(hash, root) : node(root, hash)
  })
  return isWhole && isSame(root, tree.root)
}

/**
 * Whether `path` proves that the newer tree begins with the leaves of the older one. Follows
 * RFC 9162, 2.1.4.2; every tree continues the empty one.
 */
export function provesConsistency(
  older: TreeHead,
  newer: TreeHead,
  path: readonly Uint8Array[],
  node: NodeHash,
): boolean {
  if (older.size > newer.size) return false
  if (older.size === newer.size) return path.length === 0 && isSame(older.root, newer.root)
  if (older.size === 0) return path.length === 0
  let [at, last] = [older.size - 1, newer.size - 1]
  while (at % 2 === 1) [at, last] = [half(at), half(last)]
  const [first, ...rest] = at === 0 ? [older.root, ...path] : path
  if (first === undefined) return false
  let [oldRoot, newRoot] = [first, first]
  const isWhole = climb([at, last], rest, (hash, isLeft) => {
    if (isLeft) oldRoot = node(hash, oldRoot)
    newRoot = isLeft ? node(hash, newRoot) : node(newRoot, hash)
  })
  return isWhole && isSame(oldRoot, older.root) && isSame(newRoot, newer.root)
}

/** Goes up a path from a place beside the last one; true when it ends at the root. */
function climb(
  [start, end]: readonly [at: number, last: number],
  path: readonly Uint8Array[],
  take: (hash: Uint8Array, isLeft: boolean) => void,
): boolean {
  let [at, last] = [start, end]
  for (const hash of path) {
    if (last === 0) return false
    const isLeft = at % 2 === 1 || at === last
    take(hash, isLeft)
    while (isLeft && at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0
}

// Sizes grow beyond the 32 bits of shifts.
const half = (value: number) => Math.floor(value / 2)

function largestPowerBelow(size: number): number {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}

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

/** Bundles that are on their way while one is looked at. */
const bundlesAhead = 3

/**
 * Whether the newer of two trees holds all of the older one, unchanged, by the tiles of the newer.
 * @throws whatever `load` throws
 */
export async function continues(
  older: TreeHead,
  newer: TreeHead,
  load: LoadTile,
  { nodeHash }: TreeHashes,
): Promise<boolean> {
  if (older.size > newer.size) return false
  const rootsOf = tileRoots(newer.size, load, nodeHash)
  const path = await rootsOf(consistencyRanges(older.size, newer.size))
  return provesConsistency(older, newer, path, nodeHash)
}

/** Where a reader has come to: entries, and the right edge of the tree over them. */
export interface Followed {
  readonly size: number
  readonly edge: TreeEdge
}

/** Before the first entry. */
export const beginning: Followed = { size: 0, edge: [] }

/**
 * The entries of a tree from `from` on, bundle by bundle, and how far the reader has come.
 * @throws LogFault when they do not give the root; whatever `load` throws
 */
export async function* follow(
  { size, root }: TreeHead,
  from: Followed,
  load: LoadTile,
  { leafHash, nodeHash, emptyRoot }: TreeHashes,
): AsyncGenerator<{ readonly entries: readonly string[]; readonly reached: Followed }> {
  if (from.size > size) throw new LogFault('The log has become shorter.')
  const text = new TextDecoder()
  let reached = from
  const last = Math.ceil(size / tileWidth)
  const first = Math.floor(from.size / tileWidth)
  const waiting: Promise<Uint8Array[]>[] = []
  for (let index = first, asked = first; index < last; index += 1) {
    for (; asked < Math.min(last, index + 1 + bundlesAhead); asked += 1) {
      const bundle = loadBundle(asked, size, load)
      // A failure is told when its turn comes.
      bundle.catch(() => undefined)
      waiting.push(bundle)
    }
    const bundle = (await waiting.shift()) ?? []
    const entries = bundle.slice(reached.size - index * tileWidth)
    const { edge } = growTree(reached.size, reached.edge, entries.map(leafHash), nodeHash)
    reached = { size: reached.size + entries.length, edge }
    yield { entries: entries.map((entry) => text.decode(entry)), reached }
  }
  const edge = reached.edge.slice(0, edgeOf(size).length)
  if (!isSame(rootOfEdge(edge, nodeHash) ?? emptyRoot, root)) {
    throw new LogFault('The entries do not give the root that the checkpoint is signed for.')
  }
}

/** A bundle of a log of `size` entries. @throws LogFault when it is none; whatever `load` throws */
export async function loadBundle(
  index: number,
  size: number,
  load: LoadTile,
): Promise<Uint8Array[]> {
  const place = { level: 'entries' as const, index }
  const width = tileWidthAt(size, place)
  const entries = entriesOfBundle(await load({ ...place, width }), width)
  if (entries === undefined) throw new LogFault('A bundle of entries is damaged.')
  return entries
}
