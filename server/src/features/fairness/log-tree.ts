// The stored tree: its root, and the roots of any part of it, from hashes of full subtrees.

import { runOfNode } from '@redpack/fair/tiles'
import { edgeOf, rootOfEdge, rootOfRun } from '@redpack/fair/tree'
import { type LeafRange, rangeNodes, rootOfNodes } from '@redpack/fair/tree-proofs'
import type { Queryable } from '../../adapters/db/database.ts'
import { emptyRoot, nodeHash } from '../../adapters/random/hashing.ts'
import { hashRuns } from './log-tables.ts'

/** The root of the first `size` entries. */
export async function treeRoot(db: Queryable, size: number): Promise<Uint8Array> {
  return rootOfEdge(await hashRuns(db, edgeOf(size)), nodeHash) ?? emptyRoot
}

/** The roots of parts of the tree, in one query: a proof is made of such roots. */
export async function rangeRoots(
  db: Queryable,
  ranges: readonly LeafRange[],
): Promise<Uint8Array[]> {
  const parts = ranges.map(rangeNodes)
  const runs = await hashRuns(db, parts.flat().map(runOfNode))
  const roots = runs.map((run) => rootOfRun(run, nodeHash))
  let at = 0
  return parts.map((nodes) => {
    const hashes = roots.slice(at, at + nodes.length)
    at += nodes.length
    return rootOfNodes(hashes, nodeHash)
  })
}
