// Follows the public log from its first entry, and finds where it breaks or differs from the books.

import { utf8 } from '@redpack/fair/bytes'
import { entryOfText } from '@redpack/fair/entries'
import { parseCheckpoint, parseNote } from '@redpack/fair/notes'
import { growTree, rootOfEdge, type Subtree, type TreeEdge } from '@redpack/fair/tree'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { emptyRoot, leafHash, nodeHash } from '../../adapters/random/hashing.ts'
import { addDraws, brokenSums, type DrawSums } from './draw-sums.ts'
import { type BrokenRow, type Invariant, type Progress, type Step, stepOf } from './invariant.ts'
import { logComparisons } from './log-comparisons.ts'
import {
  differenceOf,
  type LoggedEntry,
  type LogMemory,
  type LogRows,
  rowsOf,
} from './log-sources.ts'
import { newParts } from './new-parts.ts'
import { rangedSteps } from './ranges.ts'

const entriesMax = 2_000
const headsMax = 1_000

const readCheckpoints = statement(
  'read_checkpoints_to_check',
  `SELECT size, encode(root, 'hex') AS root, note FROM log_checkpoints
   WHERE size >= $1 ORDER BY size LIMIT ${headsMax}`,
)
const readSize = statement(
  'read_size_of_log',
  'SELECT coalesce(max(index) + 1, 0)::bigint AS size FROM log_entries',
)
const readEntries = statement(
  'read_entries_to_check',
  `SELECT index, body, encode(leaf_hash, 'hex') AS leaf FROM log_entries
   WHERE index >= $1 AND index < $2 ORDER BY index LIMIT $3`,
)
const readSubtrees = statement(
  'read_subtrees_to_check',
  `SELECT n.level, n.position, encode(s.hash, 'hex') AS hash
   FROM unnest($1::int[], $2::bigint[]) AS n (level, position)
   LEFT JOIN log_subtrees s ON s.level = n.level AND s.position = n.position`,
)

interface Head {
  readonly size: number
  readonly root: string
  readonly note: string
}

/** What a walk through the entries knows of those behind it, as JSON. */
export interface Walk extends Progress {
  readonly index: number
  /** In hex. */
  readonly edge: readonly (readonly string[])[]
  /** Units left of each prize whose stock has been told. */
  readonly stock: readonly (readonly [number, number | null])[]
  readonly sums: DrawSums
}

const entries = 'entries'
const compare = rangedSteps('I27', logComparisons)
const firstComparison: Progress | undefined = logComparisons[0] && {
  part: logComparisons[0].name,
  after: logComparisons[0].keys.first,
}

/**
 * Entries whose hash is not theirs, that differ from the rows they speak of, or tell a stock that
 * does not follow from those before; subtrees and signed checkpoints that do not follow from the
 * entries; and events that are neither in the log nor waiting, or both.
 */
export const brokenLog: Invariant = {
  id: 'I27',
  title: 'the public log is whole, signed as it is, and says what the books say',
  step(db, progress, size) {
    const isWalking = progress === undefined || isWalk(progress)
    return isWalking ? walkOn(db, progress, size) : compare(db, progress, size)
  },
  newParts: newParts('I27', logComparisons),
}

/**
 * True of a place among the entries. Kept, it is what a walk can go on from when there are new
 * entries: it holds what is known of all those before.
 */
export function isWalk(progress: Progress | undefined): progress is Walk {
  return progress?.part === entries
}

const beginning: Walk = {
  part: entries,
  index: 0,
  edge: [],
  stock: [],
  sums: {},
}

async function walkOn(db: Queryable, progress: Walk = beginning, size: number): Promise<Step> {
  const { index } = progress
  // Read before the size, so that every checkpoint lies within the entries that are looked at.
  const heads = await db.run<Head>(readCheckpoints, [index])
  const total = (await db.run<{ size: number }>(readSize, []))[0]?.size ?? 0
  const edge = progress.edge.map((row) => row.map((hash) => Buffer.from(hash, 'hex')))
  const broken = brokenHeads(heads, index, edge)
  if (index >= total) return endWalk(db, progress, broken, heads, total)
  // A step ends where a checkpoint does, so that its root can be told.
  const end = Math.min(total, ...heads.map((head) => head.size).filter((at) => at > index))
  const rows = await db.run<{ index: number; body: string; leaf: string }>(readEntries, [
    index,
    end,
    Math.min(size, entriesMax),
  ])
  const first = rows[0]
  if (first?.index !== index) {
    return stepOf([...broken, { index, problem: 'the entry is missing' }], firstComparison)
  }
  const told = rows.map((row) => ({ ...row, entry: entryOfText(row.body) }))
  // The database looks for what the entries speak of while they are hashed here.
  const sources = rowsOf(db, told)
  await Promise.race([sources, nextTurn()])
  const leaves = rows.map(({ body }) => leafHash(utf8(body)))
  const grown = growTree(index, edge, leaves, nodeHash)
  const sums = structuredClone(progress.sums)
  const memory = { stock: new Map(progress.stock) }
  broken.push(...brokenEntries({ told, leaves, sources: await sources }, memory, sums))
  broken.push(...(await brokenSubtrees(db, grown.subtrees)))
  const reached = index + rows.length
  if (rows.at(-1)?.index !== reached - 1) {
    return stepOf([...broken, { index: reached, problem: 'entries are missing' }], firstComparison)
  }
  const next: Walk = {
    part: entries,
    index: reached,
    edge: grown.edge.map((row) => row.map(hexOf)),
    stock: [...memory.stock],
    sums,
  }
  return stepOf(broken, next)
}

/** The log was walked through; it may have grown meanwhile, and then the walk goes on. */
async function endWalk(
  db: Queryable,
  walk: Walk,
  broken: BrokenRow[],
  heads: readonly Head[],
  total: number,
): Promise<Step> {
  const sums = await brokenSums(db, total, walk.sums)
  if (sums === undefined) return stepOf(broken, walk)
  // A walk that goes on from long ago sees that the log has become shorter.
  const gone = walk.index > total ? [{ index: total, problem: 'entries are missing' }] : []
  const beyond = heads
    .filter((head) => head.size > total)
    .map((head) => ({ size: head.size, problem: 'more entries were signed than there are' }))
  return stepOf([...broken, ...gone, ...beyond, ...sums], firstComparison)
}

interface Batch {
  readonly told: readonly (LoggedEntry & { readonly leaf: string })[]
  /** Their hashes by their texts. */
  readonly leaves: readonly Uint8Array[]
  readonly sources: LogRows
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

// As the platform writes it: an entry is compared with its hash a million times.
const hexOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('hex')

function brokenEntries(
  { told, leaves, sources }: Batch,
  memory: LogMemory,
  sums: DrawSums,
): BrokenRow[] {
  return told.flatMap((entry, offset) => {
    if (entry.entry?.type === 'opening') addDraws(sums, entry.entry)
    const isHashed = hexOf(leaves[offset] ?? emptyRoot) === entry.leaf
    const difference = differenceOf(entry, sources, memory)
    const problem = isHashed ? difference : 'its hash is not that of its text'
    return problem === undefined ? [] : [{ index: entry.index, problem }]
  })
}

/** Checkpoints of this size whose root is not the one that the entries give. */
function brokenHeads(heads: readonly Head[], size: number, edge: TreeEdge): BrokenRow[] {
  const root = hexOf(rootOfEdge(edge, nodeHash) ?? emptyRoot)
  return heads
    .filter((head) => head.size === size)
    .filter((head) => {
      const signed = parseCheckpoint(parseNote(head.note)?.text ?? '')
      return head.root !== root || signed?.size !== size || hexOf(signed.root) !== root
    })
    .map(() => ({ size, problem: 'what was signed is not what the log holds' }))
}

async function brokenSubtrees(db: Queryable, subtrees: readonly Subtree[]): Promise<BrokenRow[]> {
  if (subtrees.length === 0) return []
  const rows = await db.run<{ level: number; position: number; hash: string | null }>(
    readSubtrees,
    [subtrees.map(({ level }) => level), subtrees.map(({ position }) => position)],
  )
  return rows
    .filter(
      ({ level, position, hash }) =>
        !subtrees.some(
          (known) =>
            known.level === level && known.position === position && hexOf(known.hash) === hash,
        ),
    )
    .map(({ level, position }) => ({ level, position, problem: 'the hash of a subtree is wrong' }))
}
