// The Merkle tree of RFC 6962 as it grows, in tiles of 256 hashes. Hashing is passed in.

import { joined } from './bytes.ts'
import type { Hashing } from './hashing.ts'

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
