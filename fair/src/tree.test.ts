// The tree, its proofs and its tiles against the definitions of RFC 6962, spelled out naively.

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8 } from './bytes.ts'
import { portableHashing } from './hashing.ts'
import {
  consistencyRanges,
  edgeOf,
  growTree,
  inclusionRanges,
  type LeafRange,
  parseTileName,
  provesConsistency,
  provesInclusion,
  rangeNodes,
  rootOfEdge,
  rootOfNodes,
  rootOfRun,
  runOfNode,
  type Subtree,
  tilePath,
  tileWidthAt,
  treeHashes,
} from './tree.ts'

const { leafHash, nodeHash } = treeHashes(portableHashing)
type Bytes = Uint8Array
const sha = (...parts: Bytes[]): Bytes => createHash('sha256').update(Buffer.concat(parts)).digest()
const entries = Array.from({ length: 1100 }, (_, index) => `entry ${index}`)
const leaves = entries.map((entry) => sha(Buffer.of(0), Buffer.from(entry)))

/** MTH of RFC 6962, 2.1. */
const known = new Map<string, Bytes>()
function mth(start: number, end: number): Bytes {
  if (end - start === 1) return leaves[start]!
  const name = `${start} ${end}`
  let root = known.get(name)
  if (root === undefined) {
    const middle = start + split(end - start)
    root = sha(Buffer.of(1), mth(start, middle), mth(middle, end))
    known.set(name, root)
  }
  return root
}
const split = (n: number) => 2 ** Math.ceil(Math.log2(n) - 1)
/** PATH of RFC 6962, 2.1.1. */
function path(m: number, start: number, end: number): Bytes[] {
  if (end - start === 1) return []
  const k = split(end - start)
  return m < k
    ? [...path(m, start, start + k), mth(start + k, end)]
    : [...path(m - k, start + k, end), mth(start, start + k)]
}
/** SUBPROOF of RFC 6962, 2.1.2. */
function subproof(m: number, start: number, end: number, b: boolean): Bytes[] {
  const n = end - start
  if (m === n) return b ? [] : [mth(start, end)]
  const k = split(n)
  return m <= k
    ? [...subproof(m, start, start + k, b), mth(start + k, end)]
    : [...subproof(m - k, start + k, end, false), mth(start, start + k)]
}
const hex = (list: readonly Bytes[]) => list.map((bytes) => Buffer.from(bytes).toString('hex'))
const rootOf = (range: LeafRange) =>
  rootOfNodes(
    rangeNodes(range).map(({ height, index }) =>
      mth(index * 2 ** height, (index + 1) * 2 ** height),
    ),
    nodeHash,
  )
const size = fc.integer({ min: 1, max: leaves.length })

describe('the tree', () => {
  it('hashes leaves and nodes as RFC 6962 says', () => {
    expect(hex([leafHash(utf8('entry 0'))])).toEqual(hex([leaves[0]!]))
    expect(hex([nodeHash(leaves[0]!, leaves[1]!)])).toEqual(hex([mth(0, 2)]))
  })

  it('has the same root and the same full subtrees, in whatever pieces it grows', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 6 }), (steps) => {
        let at = 0
        let edge: readonly (readonly Bytes[])[] = []
        const subtrees: Subtree[] = []
        for (const step of steps) {
          const more = leaves.slice(at, at + step)
          const grown = growTree(at, edge, more, nodeHash)
          at += more.length
          edge = grown.edge
          subtrees.push(...grown.subtrees)
          const root = rootOfEdge(edge, nodeHash)
          expect(root && hex([root])).toEqual(at === 0 ? undefined : hex([mth(0, at)]))
          expect(edgeOf(at).map(({ count }) => count)).toEqual(
            edge.slice(0, edgeOf(at).length).map((row) => row.length),
          )
        }
        expect(subtrees.length).toBe(Math.floor(at / 256))
        for (const { level, position, hash } of subtrees) {
          const width = 256 ** level
          expect(hex([hash])).toEqual(hex([mth(position * width, (position + 1) * width)]))
        }
      }),
      { numRuns: 60 },
    )
  })

  it('hands the hash of a full tile of the second level up to the third', () => {
    const unit = Buffer.alloc(32, 7)
    const row = Array.from({ length: 255 }, () => unit)
    const grown = growTree(65_535, [row, row], [unit], nodeHash)
    const first = rootOfRun([...row, unit], nodeHash)
    expect(grown.subtrees).toEqual([
      { level: 1, position: 255, hash: first },
      { level: 2, position: 0, hash: rootOfRun([...row, first], nodeHash) },
    ])
    expect(grown.edge.map(({ length }) => length)).toEqual([0, 0, 1])
  })
})

describe('proofs', () => {
  it('of inclusion are those of the definition, and hold for that leaf alone', () => {
    fc.assert(
      fc.property(size, fc.nat(), fc.nat(), (n, seed, other) => {
        const index = seed % n
        const proof = inclusionRanges(index, n).map(rootOf)
        expect(hex(proof)).toEqual(hex(path(index, 0, n)))
        const tree = { size: n, root: mth(0, n) }
        const leaf = { index, hash: leaves[index]! }
        expect(provesInclusion(leaf, tree, proof, nodeHash)).toBe(true)
        const wrong = other % leaves.length
        expect(provesInclusion({ ...leaf, index: wrong }, tree, proof, nodeHash)).toBe(
          wrong === index,
        )
        const hash = leaves[wrong]!
        expect(provesInclusion({ index, hash }, tree, proof, nodeHash)).toBe(wrong === index)
        expect(provesInclusion(leaf, tree, [...proof, tree.root], nodeHash)).toBe(false)
        expect(provesInclusion(leaf, tree, proof.slice(1), nodeHash)).toBe(proof.length === 0)
      }),
    )
  })

  it('of consistency are those of the definition, and hold for those trees alone', () => {
    fc.assert(
      fc.property(size, fc.nat(), fc.nat(), (n, seed, third) => {
        const m = (seed % n) + 1
        const proof = consistencyRanges(m, n).map(rootOf)
        expect(hex(proof)).toEqual(hex(subproof(m, 0, n, true)))
        const [older, newer] = [
          { size: m, root: mth(0, m) },
          { size: n, root: mth(0, n) },
        ]
        expect(provesConsistency(older, newer, proof, nodeHash)).toBe(true)
        const forged = { size: m, root: sha(older.root) }
        expect(provesConsistency(forged, newer, proof, nodeHash)).toBe(false)
        expect(provesConsistency(older, { size: n, root: sha(newer.root) }, proof, nodeHash)).toBe(
          false,
        )
        expect(provesConsistency(older, newer, [...proof, newer.root], nodeHash)).toBe(false)
        expect(provesConsistency(newer, older, proof, nodeHash)).toBe(m === n)
        const changed = proof.map((hash, index) =>
          index === third % proof.length ? sha(hash) : hash,
        )
        expect(provesConsistency(older, newer, changed, nodeHash)).toBe(proof.length === 0)
      }),
    )
  })

  it('from the empty tree to any consist of nothing', () => {
    const newer = { size: 5, root: mth(0, 5) }
    expect(consistencyRanges(0, 5)).toEqual([])
    expect(provesConsistency({ size: 0, root: sha() }, newer, [], nodeHash)).toBe(true)
    expect(provesConsistency({ size: 0, root: sha() }, newer, [newer.root], nodeHash)).toBe(false)
  })
})

describe('tiles', () => {
  it('are named as the specification spells them', () => {
    const name = { level: 0, index: 1_234_067, width: 256 }
    expect(tilePath(name)).toBe('0/x001/x234/067')
    expect(parseTileName('0/x001/x234/067')).toEqual(name)
    expect(parseTileName('entries/000.p/17')).toEqual({ level: 'entries', index: 0, width: 17 })
    fc.assert(
      fc.property(
        fc.oneof(fc.constant('entries' as const), fc.integer({ min: 0, max: 63 })),
        fc.nat(),
        fc.integer({ min: 1, max: 256 }),
        (level, index, width) => {
          expect(parseTileName(tilePath({ level, index, width }))).toEqual({ level, index, width })
        },
      ),
    )
  })

  it.each([
    '0/67',
    '0/x000/067',
    '00/067',
    '64/000',
    '0/000.p/0',
    '0/000.p/256',
    '0/000.p/01',
    '0/x067',
    '0/001/067',
    '0/-01',
    '-1/000',
    'entries',
    '0/000/',
    '0/000.p',
    '0/０００',
    '0/000.p/1e2',
    '0/x999/x999/x999/x999/x999/x999/999',
  ])('are not named %s', (path) => {
    expect(parseTileName(path)).toBeUndefined()
  })

  it('are as wide as the tree makes them', () => {
    const widths = (n: number, level: number | 'entries') =>
      [0, 1, 272, 273, 274].map((index) => tileWidthAt(n, { level, index }))
    // The example of the specification.
    expect(widths(70_000, 0)).toEqual([256, 256, 256, 112, 0])
    expect(widths(70_000, 'entries')).toEqual([256, 256, 256, 112, 0])
    expect(widths(70_000, 1)).toEqual([256, 17, 0, 0, 0])
    expect(widths(70_000, 2)).toEqual([1, 0, 0, 0, 0])
    expect(widths(256, 0)[0]).toBe(256)
    expect(widths(256, 1)[0]).toBe(1)
  })

  it('hold the parts of every full subtree', () => {
    fc.assert(
      fc.property(size, fc.nat(), (n, seed) => {
        for (const node of inclusionRanges(seed % n, n).flatMap(rangeNodes)) {
          const { level, first, count } = runOfNode(node)
          const unit = 256 ** level
          const run = Array.from({ length: count }, (_, offset) =>
            mth((first + offset) * unit, (first + offset + 1) * unit),
          )
          const width = 2 ** node.height
          expect(hex([rootOfRun(run, nodeHash)])).toEqual(
            hex([mth(node.index * width, (node.index + 1) * width)]),
          )
        }
      }),
    )
  })
})
