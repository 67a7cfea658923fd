// Follows the public log from its first entry, and finds where it breaks or differs from the books
// and from the sums that staff compare with the odds.

import { utf8 } from '@redpack/fair/bytes'
import { tableHash } from '@redpack/fair/draw'
import { type Entry, entryOfText, type LogEntry } from '@redpack/fair/entries'
import { parseCheckpoint, parseNote } from '@redpack/fair/notes'
import { growTree, rootOfEdge, type Subtree, type TreeEdge } from '@redpack/fair/tree'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { logHashes, nodeHashing } from '../../adapters/random/hashing.ts'
import { judgeSteps } from '../fairness/delivery-tables.ts'
import { type LoggedEntry, logSize, rowsBehind, type WaitingRow } from '../fairness/log-tables.ts'
import { type BrokenRow, type Invariant, type Progress, type Step, stepOf } from './invariant.ts'
import { logComparisons } from './log-comparisons.ts'
import { ranged } from './ranges.ts'

const entriesMax = 2_000
const headsMax = 1_000

const readCheckpoints = statement(
  'read_checkpoints_to_check',
  `SELECT size, encode(root, 'hex') AS root, note FROM log_checkpoints
   WHERE size >= $1 ORDER BY size LIMIT ${headsMax}`,
)
const readEntries = statement(
  'read_entries_to_check',
  `SELECT index, body, encode(leaf_hash, 'hex') AS leaf FROM log_entries
   WHERE index >= $1 AND index < $2 ORDER BY index LIMIT $3`,
)
const readSubtrees = statement(
  'read_subtrees_to_check',
  `SELECT encode(s.hash, 'hex') AS hash
   FROM unnest($1::int[], $2::bigint[]) WITH ORDINALITY AS n (level, position, place)
   LEFT JOIN log_subtrees s ON s.level = n.level AND s.position = n.position ORDER BY n.place`,
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
  readonly edge: readonly string[]
  /** Units left of each prize whose stock has been told, null for no end. */
  readonly stock: readonly (readonly [number, number | null])[]
  readonly sums: DrawSums
}

const walking = 'log'
const title = 'the public log is whole, signed as it is, and says what the books say'
const comparing = ranged('I27', title, logComparisons)
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
  ...comparing,
  step(db, progress, size) {
    const isWalking = progress === undefined || isWalk(progress)
    return isWalking ? walkOn(db, progress, size) : comparing.step(db, progress, size)
  },
}

/**
 * True of a place among the entries. Kept, it is what a walk can go on from when there are new
 * entries: it holds what is known of all those before.
 */
export function isWalk(progress: Progress | undefined): progress is Walk {
  return progress?.part === walking
}

const beginning: Walk = { part: walking, index: 0, edge: [], stock: [], sums: {} }

async function walkOn(db: Queryable, progress: Walk = beginning, size: number): Promise<Step> {
  const { index } = progress
  // Read before the size, so that every checkpoint lies within the entries that are looked at.
  const heads = await db.run<Head>(readCheckpoints, [index])
  const total = await logSize(db)
  const edge = progress.edge.map((hash) => Buffer.from(hash, 'hex'))
  const broken = brokenHeads(heads, index, edge)
  if (index >= total) return endWalk(db, progress, broken, heads, total)
  // A step ends where a checkpoint does, so that its root can be told.
  const end = Math.min(total, ...heads.map((head) => head.size).filter((at) => at > index))
  const rows = await db.run<{ index: number; body: string; leaf: string }>(readEntries, [
    index,
    end,
    Math.min(size, entriesMax),
  ])
  const reached = index + rows.length
  if (rows[0]?.index !== index || rows.at(-1)?.index !== reached - 1) {
    return stepOf([...broken, { index, problem: 'entries are missing' }], firstComparison)
  }
  const logged = rows.map((row) => ({ ...row, entry: entryOfText(row.body) }))
  // The database looks for what the entries speak of while they are hashed here.
  const behind = rowsBehind(
    db,
    logged.filter(({ entry }) => entry?.type !== 'shipment'),
  )
  await Promise.race([behind, new Promise((resolve) => setImmediate(resolve))])
  const leaves = rows.map(({ body }) => logHashes.leafHash(utf8(body)))
  const grown = growTree(index, edge, leaves, logHashes.nodeHash)
  const sums = structuredClone(progress.sums)
  const stock = new Map(progress.stock)
  const found = await behind
  const steps = logged.flatMap(({ index: at, entry }) =>
    entry?.type === 'shipment' ? { index: at, entry } : [],
  )
  const { faults, changes } = await judgeSteps(db, steps, index)
  for (const [cell, by] of changes) add(sums, [shipmentSums, cell, by, 0])
  for (const [at, entry] of logged.entries()) {
    if (entry.entry?.type === 'opening') addDraws(sums, entry.entry)
    const difference =
      entry.entry?.type === 'shipment'
        ? faults.get(entry.index)
        : differenceOf(entry, found.get(entry.index), stock)
    const isHashed = hexOf(leaves[at] ?? logHashes.emptyRoot) === entry.leaf
    const problem = isHashed ? difference : 'its hash is not that of its text'
    if (problem !== undefined) broken.push({ index: entry.index, problem })
  }
  broken.push(...(await brokenSubtrees(db, grown.subtrees)))
  const place = { part: walking, index: reached, edge: grown.edge.map(hexOf) }
  return stepOf(broken, { ...place, stock: [...stock], sums })
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

// As the platform writes it: an entry is compared with its hash a million times.
const hexOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('hex')

function brokenHeads(heads: readonly Head[], size: number, edge: TreeEdge): BrokenRow[] {
  const root = hexOf(rootOfEdge(edge, logHashes))
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
  const rows = await db.run<{ hash: string | null }>(readSubtrees, [
    subtrees.map(({ level }) => level),
    subtrees.map(({ position }) => position),
  ])
  return subtrees
    .filter(({ hash }, at) => rows[at]?.hash !== hexOf(hash))
    .map(({ level, position }) => ({ level, position, problem: 'the hash of a subtree is wrong' }))
}

/** What is said of an entry that no row tells, and of one that a row tells otherwise. */
const differences = {
  chain: ['there is no such chain', 'the commitment of the chain was exchanged'],
  end: ['there is no such chain that has ended', 'the chain has ended otherwise'],
  table: ['there is no such odds table', 'the odds table is another one'],
  opening: ['there is no such opening request', 'the opening request is another one'],
  stock: ['nothing in the history changed this stock', 'the change of stock is another one'],
} as const

/** Units left of each prize whose stock has been told, null for no end. */
type Stock = Map<number, number | null>

/** Why an entry is not what the books say, undefined when it is. Follows the stock. */
function differenceOf(
  { index, body, entry }: LoggedEntry & { readonly body: string },
  row: WaitingRow | undefined,
  stock: Stock,
): string | undefined {
  if (entry === undefined || entry.type === 'shipment') return 'it is of no known type'
  const [missing, other] = differences[entry.type]
  const isFirst = entry.type === 'stock' && !stock.has(entry.prizeId)
  let otherStock: string | undefined
  for (const change of changesOf(entry, stock)) {
    if (!isNextStock(stock, change))
      otherStock = 'the stock does not follow from the entries before'
  }
  const part = entry.type === 'table' && 'part' in entry ? entry.part - 1 : -1
  const expected = row?.entries.at(part)
  if (entry.type === 'stock' && expected === undefined) {
    // Without an event stands what changes nothing, and what a prize had when the log began.
    const isPlain = entry.delta === 0 || (isFirst && entry.delta === entry.after)
    return otherStock ?? (isPlain ? undefined : missing)
  }
  if (entry.type === 'table' && tableHash(row?.tableBody ?? '', nodeHashing) !== entry.tableHash) {
    return row?.tableBody == null ? missing : 'the odds table is not the one that was hashed'
  }
  if (expected === undefined) return missing
  if (expected !== body) return other
  const isElsewhere = entry.type === 'opening' && row?.loggedAt !== index
  return isElsewhere ? 'the request stands elsewhere' : otherStock
}

type StockChange = readonly [prizeId: number, delta: number, left: number | null]

/**
 * Requests stand in the log in the order in which they took from a stock: each win has one unit
 * less than the last, and a prize is sold out when none is left. A stock that was never told is not
 * followed.
 */
function changesOf(entry: LogEntry, stock: Stock): StockChange[] {
  if (entry.type === 'stock') return [[entry.prizeId, entry.delta, entry.after]]
  if (entry.type !== 'opening') return []
  return entry.results.flatMap(([won, soldOut, left]) => {
    const prizeId = won ?? soldOut
    if (prizeId === null || !stock.has(prizeId)) return []
    return [[prizeId, won === null ? 0 : -1, left] as const]
  })
}

/** Keeps what is left of a prize. False when it is not what was left before and the change. */
function isNextStock(stock: Stock, [prizeId, change, left]: StockChange): boolean {
  const before = stock.get(prizeId) ?? null
  stock.set(prizeId, left)
  return before === null || left === null || before + change === left
}

/**
 * Wins and sold-out draws by the hash of the odds table and the prize, 0 for none; and shipments by
 * what is counted together.
 */
export type DrawSums = Record<string, Record<string, [wins: number, soldOut: number]>>

type SumRow = readonly [of: string, part: number | string, wins: number, soldOut: number]

const shipmentSums = 'shipments'

// One statement, so that the sums are of the entries whose number it answers.
const readSums = statement(
  'read_sums_of_draws',
  `SELECT (SELECT coalesce(max(index) + 1, 0)::bigint FROM log_entries) AS size,
     (SELECT json_agg(json_build_array(t.table_hash, c.prize_id, c.wins, c.sold_out))
      FROM draw_counts c JOIN odds_tables t ON t.id = c.odds_table_id) AS kept,
     (SELECT json_agg(json_build_array(json_build_array(step, due, days), shipments))
      FROM delivery_counts) AS shipped`,
)

function addDraws(sums: DrawSums, { tableHash, results }: Entry<'opening'>): void {
  for (const [won, soldOut] of results) {
    add(sums, [tableHash, won ?? soldOut ?? 0, Number(soldOut === null), Number(soldOut !== null)])
  }
}

function add(sums: DrawSums, [of, part, wins, soldOut]: SumRow): void {
  sums[of] ??= {}
  const [winsBefore, soldOutBefore] = sums[of][part] ?? [0, 0]
  sums[of][part] = [winsBefore + wins, soldOutBefore + soldOut]
}

const wrongSum = 'the sum of its draws is wrong'
const wrongCount = 'the number of shipments is wrong'

/** Sums that differ from those of the first `size` entries; undefined when the log has grown. */
async function brokenSums(db: Queryable, size: number, logged: DrawSums) {
  const [row] = await db.run<{
    size: number
    kept: SumRow[] | null
    shipped: [unknown, number][] | null
  }>(readSums, [])
  if (row === undefined || row.size > size) return undefined
  const rest = structuredClone(logged)
  for (const [hash, prizeId, wins, soldOut] of row.kept ?? []) {
    add(rest, [hash, prizeId, -wins, -soldOut])
  }
  for (const [cell, count] of row.shipped ?? []) {
    add(rest, [shipmentSums, JSON.stringify(cell), -count, 0])
  }
  return Object.entries(rest).flatMap(([tableHash, prizes]) =>
    Object.entries(prizes)
      .filter(([, sums]) => sums.some((sum) => sum !== 0))
      .map(([part]) =>
        tableHash === shipmentSums
          ? { shipments: part, problem: wrongCount }
          : { tableHash, prizeId: Number(part), problem: wrongSum },
      ),
  )
}
