// Proofs of the Merkle tree of RFC 6962: which subtrees they consist of, and how they are checked.

import { isSame } from './bytes.ts'
import type { NodeHash } from './tree.ts'

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
  let [at, last, root] = [leaf.index, tree.size - 1, leaf.hash]
  for (const hash of path) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      root = node(hash, root)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else {
      root = node(root, hash)
    }
    at = half(at)
    last = half(last)
  }
  return last === 0 && isSame(root, tree.root)
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
  for (const hash of rest) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      oldRoot = node(hash, oldRoot)
      newRoot = node(hash, newRoot)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else {
      newRoot = node(newRoot, hash)
    }
    at = half(at)
    last = half(last)
  }
  return last === 0 && isSame(oldRoot, older.root) && isSame(newRoot, newer.root)
}

// Sizes grow beyond the 32 bits of shifts.
function half(value: number): number {
  return Math.floor(value / 2)
}

function largestPowerBelow(size: number): number {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}
