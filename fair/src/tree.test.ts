// The tree, its proofs and its tiles against the definitions of RFC 6962, spelled out naively.

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8 } from './bytes.ts'
import { portableHashing } from './hashing.ts'
import {
  consistencyRanges,
  growTree,
  inclusionRanges,
  type LeafRange,
  type LoadRuns,
  parseTileName,
  provesConsistency,
  provesInclusion,
  rangeEdges,
  rangeRoots,
  rootOfEdge,
  runsOf,
  type Subtree,
  type TreeEdge,
  tilePath,
  tileWidthAt,
  treeHashes,
} from './tree.ts'

const hashes = treeHashes(portableHashing)
const { leafHash, nodeHash } = hashes
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
/** The hashes of runs by the definition. */
const loadRuns: LoadRuns = async (runs) =>
  runs.map(({ level, first, count }) => {
    const unit = 256 ** level
    return Array.from({ length: count }, (_, at) =>
      mth((first + at) * unit, (first + at + 1) * unit),
    )
  })
const rootsOf = (ranges: readonly LeafRange[]) => rangeRoots(ranges, loadRuns, hashes)
const size = fc.integer({ min: 1, max: leaves.length })

describe('the tree', () => {
  it('hashes leaves and nodes as RFC 6962 says', () => {
    expect(hex([leafHash(utf8('entry 0'))])).toEqual(hex([leaves[0]!]))
    expect(hex([nodeHash(leaves[0]!, leaves[1]!)])).toEqual(hex([mth(0, 2)]))
  })

  it('has the same root and the same full subtrees, in whatever pieces it grows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 6 }),
        async (steps) => {
          let at = 0
          let edge: TreeEdge = []
          const subtrees: Subtree[] = []
          for (const step of steps) {
            const more = leaves.slice(at, at + step)
            const grown = growTree(at, edge, more, nodeHash)
            at += more.length
            edge = grown.edge
            subtrees.push(...grown.subtrees)
            expect(hex([rootOfEdge(edge, hashes)])).toEqual(hex([at === 0 ? sha() : mth(0, at)]))
            const [known] = await rangeEdges([{ start: 0, end: at }], loadRuns, hashes)
            expect(hex(edge)).toEqual(hex(known ?? []))
          }
          expect(subtrees.length).toBe(Math.floor(at / 256))
          for (const { level, position, hash } of subtrees) {
            const width = 256 ** level
            expect(hex([hash])).toEqual(hex([mth(position * width, (position + 1) * width)]))
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('hands the hash of a full tile of the second level up to the third', () => {
    const unit = Buffer.alloc(32, 7)
    const edge = Array.from({ length: 16 }, () => unit)
    const grown = growTree(65_535, edge, [unit], nodeHash)
    const above = (hash: Bytes) => edge.slice(0, 8).reduce((right) => nodeHash(unit, right), hash)
    expect(grown.subtrees).toEqual([
      { level: 1, position: 255, hash: above(unit) },
      { level: 2, position: 0, hash: above(above(unit)) },
    ])
    expect(grown.edge).toEqual([above(above(unit))])
    expect(() => growTree(65_535, edge.slice(1), [unit], nodeHash)).toThrow('not the edge')
  })
})

describe('proofs', () => {
  it('of inclusion are those of the definition, and hold for that leaf alone', async () => {
    await fc.assert(
      fc.asyncProperty(size, fc.nat(), fc.nat(), async (n, seed, other) => {
        const index = seed % n
        const proof = await rootsOf(inclusionRanges(index, n))
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

  it('of consistency are those of the definition, and hold for those trees alone', async () => {
    await fc.assert(
      fc.asyncProperty(size, fc.nat(), fc.nat(), async (n, seed, third) => {
        const m = (seed % n) + 1
        const proof = await rootsOf(consistencyRanges(m, n))
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

  it('are not named otherwise', () => {
    const names = '0/67 0/x000/067 00/067 64/000 0/000.p/0 0/000.p/256 0/000.p/01 0/x067 0/001/067'
    const more = '0/-01 -1/000 entries 0/000/ 0/000.p 0/０００ 0/000.p/1e2'
    const long = `0/${'x999/'.repeat(6)}999`
    for (const path of [...names.split(' '), ...more.split(' '), long]) {
      expect([path, parseTileName(path)]).toEqual([path, undefined])
    }
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

  it('hold the parts of every full subtree', async () => {
    await fc.assert(
      fc.asyncProperty(size, fc.nat(), async (n, seed) => {
        const ranges = inclusionRanges(seed % n, n)
        for (const { first, count } of ranges.flatMap(runsOf)) {
          expect(Math.floor(first / 256)).toBe(Math.floor((first + count - 1) / 256))
        }
        const known = ranges.map(({ start, end }) => mth(start, end))
        expect(hex(await rootsOf(ranges))).toEqual(hex(known))
      }),
    )
  })
})
