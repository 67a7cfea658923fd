// The Merkle tree of a transparency log (RFC 6962): hashes, growing roots, and checks of proofs.

import { sha256 } from '@noble/hashes/sha2.js'
import { type Bytes, isSame, joined } from './bytes.ts'

export const hashBytes = 32

/** A tree as a checkpoint names it. */
export interface TreeHead {
  readonly size: number
  readonly root: Uint8Array
}

const leafMark = Uint8Array.of(0)
const nodeMark = Uint8Array.of(1)

export function leafHash(entry: Uint8Array): Bytes {
  return new Uint8Array(sha256(joined(leafMark, entry)))
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Bytes {
  return new Uint8Array(sha256(joined(nodeMark, left, right)))
}

/** The root of the tree without entries. */
export const emptyRoot: Bytes = new Uint8Array(sha256(new Uint8Array()))

/** A tree that grows leaf by leaf and keeps no more than one hash per level. */
export interface GrowingTree {
  readonly size: number
  append(leaf: Uint8Array): void
  root(): Uint8Array
}

export function growingTree(): GrowingTree {
  // Roots of full subtrees, largest first; the binary digits of the size tell which there are.
  const peaks: Uint8Array[] = []
  let size = 0
  return {
    get size() {
      return size
    },
    append(leaf) {
      let hash = leaf
      for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
        const left = peaks.pop()
        if (left) hash = nodeHash(left, hash)
      }
      peaks.push(hash)
      size += 1
    },
    root() {
      if (size === 0) return emptyRoot
      return peaks.reduceRight((right, left) => nodeHash(left, right))
    },
  }
}

/** The largest power of two below a number of at least 2. */
export function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

const half = (value: number) => Math.floor(value / 2)
const isOdd = (value: number) => value % 2 === 1

/** Whether a leaf stands at an index of a tree (RFC 9162, 2.1.3.2). */
export function isIncluded(
  leaf: Uint8Array,
  index: number,
  tree: TreeHead,
  proof: readonly Uint8Array[],
): boolean {
  if (index < 0 || index >= tree.size) return false
  let [at, last, root] = [index, tree.size - 1, leaf]
  for (const hash of proof) {
    if (last === 0) return false
    if (isOdd(at) || at === last) {
      root = nodeHash(hash, root)
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)]
    } else {
      root = nodeHash(root, hash)
    }
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && isSame(root, tree.root)
}

/** Whether the newer tree holds all of the older one, unchanged (RFC 9162, 2.1.4.2). */
export function isConsistent(
  older: TreeHead,
  newer: TreeHead,
  proof: readonly Uint8Array[],
): boolean {
  if (older.size === newer.size) return proof.length === 0 && isSame(older.root, newer.root)
  if (older.size > newer.size) return false
  if (older.size === 0) return proof.length === 0 && isSame(older.root, emptyRoot)
  const isFull = splitOf(older.size * 2) === older.size
  const [first, ...rest] = isFull ? [older.root, ...proof] : proof
  if (!first || proof.length === 0) return false
  let [at, last] = [older.size - 1, newer.size - 1]
  while (isOdd(at)) [at, last] = [half(at), half(last)]
  let [oldRoot, newRoot] = [first, first]
  for (const hash of rest) {
    if (last === 0) return false
    if (isOdd(at) || at === last) {
      oldRoot = nodeHash(hash, oldRoot)
      newRoot = nodeHash(hash, newRoot)
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)]
    } else {
      newRoot = nodeHash(newRoot, hash)
    }
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && isSame(oldRoot, older.root) && isSame(newRoot, newer.root)
}
