// Follows a log up to a signed checkpoint: every entry is read, hashed and handed on, and in the
// end the tree over them has to have the root that was signed.

import { isSame } from './bytes.ts'
import { LogFault } from './notes.ts'
import { entriesOfBundle, type LoadTile, tileRoots, tileWidthAt } from './tiles.ts'
import { edgeOf, growTree, rootOfEdge, type TreeEdge, type TreeHashes, tileWidth } from './tree.ts'
import { consistencyRanges, provesConsistency, type TreeHead } from './tree-proofs.ts'

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
