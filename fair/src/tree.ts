// The Merkle tree of RFC 6962: how it grows in tiles of 256 hashes (C2SP tlog-tiles), its proofs,
// the files of a log, and how it is followed up to a signed checkpoint. Hashing is passed in.

import { type Hashing, isSame, joined, textOf } from './bytes.ts'

/** What is wrong with a log, in a sentence: it contradicts itself, its key, or what was seen. */
export class LogFault extends Error {
  override readonly name = 'LogFault'
}

export const hashBytes = 32

const leafMark = Uint8Array.of(0)
const nodeMark = Uint8Array.of(1)

/** The hashes of a tree (RFC 6962, 2.1), made with one implementation of SHA-256. */
export function treeHashes({ sha256 }: Pick<Hashing, 'sha256'>) {
  return {
    leafHash: (entry: Uint8Array) => sha256(joined(leafMark, entry)),
    nodeHash: (left: Uint8Array, right: Uint8Array) => sha256(joined(nodeMark, left, right)),
    emptyRoot: sha256(new Uint8Array()),
  }
}

export type TreeHashes = ReturnType<typeof treeHashes>
export type NodeHash = TreeHashes['nodeHash']

/** Hashes of a tile, and leaves of the subtree that one hash of the level above stands for. */
export const tileWidth = 256

const tileHeight = 8

/** The roots of a tree's full subtrees, largest first: it takes no more to append to it. */
export type TreeEdge = readonly Uint8Array[]

/** The hash of a full subtree of 256^level leaves, counted by `position` from the left. */
export interface Subtree {
  readonly level: number
  readonly position: number
  readonly hash: Uint8Array
}

/** Appends leaf hashes to a tree of `size` leaves; also answers the subtrees that became full. */
export function growTree(
  size: number,
  before: TreeEdge,
  leaves: readonly Uint8Array[],
  node: NodeHash,
): { readonly edge: TreeEdge; readonly subtrees: readonly Subtree[] } {
  const edge = [...before]
  const subtrees: Subtree[] = []
  for (const [offset, leaf] of leaves.entries()) {
    let hash = leaf
    let position = size + offset
    for (let height = 1; position % 2 === 1; height += 1) {
      const left = edge.pop()
      if (left === undefined) throw new Error(`This is not the edge of a tree of ${size} leaves`)
      hash = node(left, hash)
      position = (position - 1) / 2
      if (height % tileHeight === 0) subtrees.push({ level: height / tileHeight, position, hash })
    }
    edge.push(hash)
  }
  return { edge, subtrees }
}

export function rootOfEdge(edge: TreeEdge, { nodeHash, emptyRoot }: TreeHashes): Uint8Array {
  const last = edge.at(-1) ?? emptyRoot
  return edge.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last)
}

/** Leaves from `start` up to but not including `end`. */
export interface LeafRange {
  readonly start: number
  readonly end: number
}

/** The way to a leaf down to the first part that is the wanted one, and what stands beside it. */
function wayTo(leaf: number, size: number, isWanted: (part: LeafRange) => boolean) {
  const beside: LeafRange[] = []
  let part: LeafRange = { start: 0, end: size }
  while (!isWanted(part)) {
    const { start, end } = part
    let width = 1
    while (width * 2 < end - start) width *= 2
    const left = { start, end: start + width }
    const right = { start: left.end, end }
    part = leaf < left.end ? left : right
    beside.unshift(leaf < left.end ? right : left)
  }
  return { part, beside }
}

/** What proves a leaf of a tree of `size` leaves, from its sibling up to the root's child. */
export function inclusionRanges(leaf: number, size: number): LeafRange[] {
  return wayTo(leaf, size, ({ start, end }) => end - start === 1).beside
}

/** What proves that the first `older` leaves are still those that they were. */
export function consistencyRanges(older: number, size: number): LeafRange[] {
  if (older === 0 || older === size) return []
  const { part, beside } = wayTo(older - 1, size, ({ end }) => end === older)
  // The old tree as a whole is known to whoever asks.
  return part.start === 0 ? beside : [part, ...beside]
}

/** Neighbouring hashes of one level of tiles; the leaves are level 0. */
export interface HashRun {
  readonly level: number
  readonly first: number
  readonly count: number
}

/** The full subtrees of a range, which has to begin where one can; the largest comes first. */
export function runsOf({ start, end }: LeafRange): HashRun[] {
  const runs: HashRun[] = []
  for (let at = start; at < end; ) {
    let [height, width] = [0, 1]
    while (width * 2 <= end - at && at % (width * 2) === 0) {
      width *= 2
      height += 1
    }
    const count = 2 ** (height % tileHeight)
    runs.push({ level: Math.floor(height / tileHeight), first: (at / width) * count, count })
    at += width
  }
  return runs
}

export type LoadRuns = (runs: readonly HashRun[]) => Promise<readonly (readonly Uint8Array[])[]>

/** For each range of a tree the roots of its full subtrees; of the whole tree that is its edge. */
export async function rangeEdges(ranges: readonly LeafRange[], load: LoadRuns, hashes: TreeHashes) {
  const parts = ranges.map(runsOf)
  const rootOfRun = (run: readonly Uint8Array[]) =>
    rootOfEdge(growTree(0, [], run, hashes.nodeHash).edge, hashes)
  const roots = (await load(parts.flat())).map(rootOfRun)
  return parts.map(({ length }) => roots.splice(0, length))
}

/** The roots of ranges of a tree: a proof is made of them, so that nothing has to be trusted. */
export async function rangeRoots(ranges: readonly LeafRange[], load: LoadRuns, hashes: TreeHashes) {
  return (await rangeEdges(ranges, load, hashes)).map((edge) => rootOfEdge(edge, hashes))
}

export interface TreeHead {
  readonly size: number
  readonly root: Uint8Array
}

/** Whether `path` proves that the leaf with this hash stands at `index` of the tree. */
export function provesInclusion(
  leaf: { readonly index: number; readonly hash: Uint8Array },
  tree: TreeHead,
  path: readonly Uint8Array[],
  node: NodeHash,
): boolean {
  if (leaf.index >= tree.size) return false
  const ranges = inclusionRanges(leaf.index, tree.size)
  if (path.length !== ranges.length) return false
  const root = path.reduce((below, hash, at) => {
    const isLeft = (ranges[at]?.start ?? 0) < leaf.index
    return isLeft ? node(hash, below) : node(below, hash)
  }, leaf.hash)
  return isSame(root, tree.root)
}

/** Whether the newer tree begins with the older one; every tree continues the empty one. */
export function provesConsistency(
  older: TreeHead,
  newer: TreeHead,
  path: readonly Uint8Array[],
  node: NodeHash,
): boolean {
  if (older.size > newer.size) return false
  const ranges = consistencyRanges(older.size, newer.size)
  if (path.length !== ranges.length) return false
  if (older.size === newer.size) return isSame(older.root, newer.root)
  if (older.size === 0) return true
  // The path leaves the old tree out where it is a part of the new one.
  const isPart = ranges.every(({ end }) => end > older.size)
  const [first = older.root, ...rest] = isPart ? [older.root, ...path] : path
  let [oldRoot, newRoot] = [first, first]
  for (const [at, hash] of rest.entries()) {
    const isLeft = (ranges.at(at - rest.length)?.end ?? 0) <= older.size
    if (isLeft) oldRoot = node(hash, oldRoot)
    newRoot = isLeft ? node(hash, newRoot) : node(newRoot, hash)
  }
  return isSame(oldRoot, older.root) && isSame(newRoot, newer.root)
}

const levelMax = 63

/** A tile of hashes, or a bundle of entries, which has the place of a tile of level 0. */
export interface TileName {
  readonly level: number | 'entries'
  readonly index: number
  /** Hashes or entries in it: 256, or fewer at the right edge of a tree. */
  readonly width: number
}

/** Reads `<L>/<N>[.p/<W>]`, N as in `x001/x234/067`; undefined for any other spelling. */
export function parseTileName(path: string): TileName | undefined {
  const [, name, digits = '', cut] = /^(\w+)\/([x\d/]+?)(?:\.p\/(\d+))?$/.exec(path) ?? []
  const level = name === 'entries' ? ('entries' as const) : Number(name)
  const index = Number(digits.replace(/[x/]/g, ''))
  const tile = { level, index, width: cut === undefined ? tileWidth : Number(cut) }
  const isTile =
    (level === 'entries' || level <= levelMax) && Number.isSafeInteger(index) && tile.width > 0
  return isTile && tilePath(tile) === path ? tile : undefined
}

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

export type LoadTile = (tile: TileName) => Promise<Uint8Array>

/** The hashes that a tile begins with. */
export function hashesIn(tile: Uint8Array, count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, at) =>
    tile.subarray(at * hashBytes, (at + 1) * hashBytes),
  )
}

/** The hashes of runs by the tiles of a tree of `size` entries, each loaded once. */
export function runsOfTiles(size: number, load: LoadTile): LoadRuns {
  const tiles = new Map<string, Promise<Uint8Array>>()
  const runIn = async ({ level, first, count }: HashRun) => {
    const place = { level, index: Math.floor(first / tileWidth) }
    const tile = { ...place, width: tileWidthAt(size, place) }
    const path = tilePath(tile)
    const loading = tiles.get(path) ?? load(tile)
    tiles.set(path, loading)
    return hashesIn((await loading).subarray((first % tileWidth) * hashBytes), count)
  }
  return (runs) => Promise.all(runs.map(runIn))
}

/** Bundles that are on their way while one is looked at. */
const bundlesAhead = 3

/** Whether the newer of two trees holds all of the older one, by the tiles of the newer. */
export async function continues(
  older: TreeHead,
  newer: TreeHead,
  load: LoadTile,
  hashes: TreeHashes,
): Promise<boolean> {
  if (older.size > newer.size) return false
  const ranges = consistencyRanges(older.size, newer.size)
  const path = await rangeRoots(ranges, runsOfTiles(newer.size, load), hashes)
  return provesConsistency(older, newer, path, hashes.nodeHash)
}

/** Where a reader has come to: entries, and the right edge of the tree over them. */
export interface Followed {
  readonly size: number
  readonly edge: TreeEdge
}

export const beginning: Followed = { size: 0, edge: [] }

/** The entries from `from` on. @throws LogFault when they do not give the root */
export async function* follow(
  { size, root }: TreeHead,
  from: Followed,
  load: LoadTile,
  hashes: TreeHashes,
): AsyncGenerator<{ readonly entries: readonly string[]; readonly reached: Followed }> {
  const { leafHash, nodeHash } = hashes
  if (from.size > size) throw new LogFault('The log has become shorter.')
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
    yield { entries: entries.map(textOf), reached }
  }
  if (!isSame(rootOfEdge(reached.edge, hashes), root)) {
    throw new LogFault('The entries do not give the root that the checkpoint is signed for.')
  }
}

/** A bundle of a log of `size` entries. @throws LogFault when it is none; whatever `load` throws */
export async function loadBundle(index: number, size: number, load: LoadTile) {
  const place = { level: 'entries' as const, index }
  const width = tileWidthAt(size, place)
  const entries = entriesOfBundle(await load({ ...place, width }), width)
  if (entries === undefined) throw new LogFault('A bundle of entries is damaged.')
  return entries
}

/** Of a file that a log of the size that is known has to have. */
export class NotThere extends Error {}

/**
 * The files of a public log at an address. `get` answers undefined for what is not there, and
 * throws for everything else.
 */
export function logFiles(
  address: string,
  get: (address: string) => Promise<Uint8Array | undefined>,
) {
  const need = async (name: string) => {
    const bytes = await get(`${address}/${name}`)
    if (bytes === undefined) throw new NotThere(`${address}/${name} is not there`)
    return bytes
  }
  return {
    /** The lines after the first are keys of others. */
    key: async () => /^.*/.exec(textOf(await need('key')))?.[0].trim() ?? '',
    /** As it is signed, undefined while there is none. */
    checkpoint: async () => {
      const bytes = await get(`${address}/checkpoint`)
      return bytes && textOf(bytes)
    },
    /** A tile or bundle; a full one stands in for a partial one that is gone. */
    tile: async (tile: TileName) => {
      const { level, width } = tile
      const bytes = width < tileWidth && (await get(`${address}/tile/${tilePath(tile)}`))
      if (bytes) return bytes
      const full = await need(`tile/${tilePath({ ...tile, width: tileWidth })}`)
      if (level !== 'entries') return full.slice(0, width * hashBytes)
      return bundleOf((entriesOfBundle(full, tileWidth) ?? []).slice(0, width))
    },
  }
}
