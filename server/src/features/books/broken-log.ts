// Follows the public log from its first entry, and finds where it breaks or differs from the books
// and from the sums that staff compare with the odds.

import { utf8 } from '@redpack/fair/bytes'
import { tableHash, tableOfText } from '@redpack/fair/draw'
import {
  entryOfText,
  entryText,
  type LogEntry,
  type OpeningEntry,
  tableEntries,
} from '@redpack/fair/entries'
import { parseCheckpoint, parseNote } from '@redpack/fair/notes'
import { growTree, rootOfEdge, type Subtree, type TreeEdge } from '@redpack/fair/tree'
import { type Queryable, type Statement, statement } from '../../adapters/db/database.ts'
import { emptyRoot, leafHash, nodeHash, nodeHashing } from '../../adapters/random/hashing.ts'
import { entrySql } from '../fairness/log-tables.ts'
import { type BrokenRow, type Invariant, type Progress, type Step, stepOf } from './invariant.ts'
import { logComparisons } from './log-comparisons.ts'
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

const beginning: Walk = { part: entries, index: 0, edge: [], stock: [], sums: {} }

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
  broken.push(...brokenEntries(told, leaves, await sources, { memory, sums }))
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

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

// As the platform writes it: an entry is compared with its hash a million times.
const hexOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('hex')

/** `leaves` are the hashes of the entries by their texts. */
function brokenEntries(
  told: readonly (LoggedEntry & { readonly leaf: string })[],
  leaves: readonly Uint8Array[],
  sources: LogRows,
  { memory, sums }: { readonly memory: LogMemory; readonly sums: DrawSums },
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
    .filter(({ level, position, hash }) => {
      const known = subtrees.find((one) => one.level === level && one.position === position)
      return known === undefined || hexOf(known.hash) !== hash
    })
    .map(({ level, position }) => ({ level, position, problem: 'the hash of a subtree is wrong' }))
}

const readChains = statement(
  'read_logged_chains',
  `SELECT c.id, ${entrySql.chain} AS chain, CASE WHEN c.ended_at IS NOT NULL
     THEN ${entrySql.end} END AS "end"
   FROM draw_chains c WHERE c.id = ANY ($1::bigint[])`,
)
const readTables = statement(
  'read_logged_tables',
  'SELECT table_hash, body FROM odds_tables WHERE table_hash = ANY ($1::text[])',
)
const readOpenings = statement(
  'read_logged_openings',
  `SELECT r.id, l.index, ${entrySql.opening} AS entry
   FROM log_requests l JOIN opening_requests r ON r.id = l.request_id
   JOIN odds_tables t ON t.id = r.odds_table_id
   WHERE r.id::text = ANY ($1::text[])`,
)
const readStock = statement(
  'read_logged_stock',
  `SELECT l.index, ${entrySql.stock} AS entry FROM log_stock_events l
   JOIN stock_events e ON e.id = l.event_id WHERE l.index = ANY ($1::bigint[])`,
)

interface ChainRow {
  readonly id: number
  readonly chain: LogEntry
  /** Null while it has not ended. */
  readonly end: LogEntry | null
}

interface OpeningRow {
  readonly id: string
  readonly index: number
  readonly entry: LogEntry
}

/** An entry as it stands in the log; undefined as `entry` where the text is none. */
export interface LoggedEntry {
  readonly index: number
  readonly body: string
  readonly entry: LogEntry | undefined
}

/** What entries say about later ones. */
export interface LogMemory {
  /** Units left of each prize whose stock has been told, null for no end. */
  readonly stock: Map<number, number | null>
}

/** The rows that the entries of one batch speak of. */
export interface LogRows {
  readonly chains: ReadonlyMap<number, ChainRow>
  readonly tables: ReadonlyMap<string, string>
  readonly openings: ReadonlyMap<string, OpeningRow>
  readonly stock: ReadonlyMap<number, LogEntry>
}

/** At most four queries for a batch, whatever is in it. */
export async function rowsOf(db: Queryable, told: readonly LoggedEntry[]): Promise<LogRows> {
  const entries = told.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
  // Most batches hold openings alone.
  const find = async <Row>(query: Statement, keys: readonly unknown[]): Promise<Row[]> =>
    keys.length === 0 ? [] : db.run<Row>(query, [keys])
  const chains = await find<ChainRow>(
    readChains,
    entries.flatMap((each) => (each.type === 'chain' || each.type === 'end' ? each.chainId : [])),
  )
  const tables = await find<{ table_hash: string; body: string }>(
    readTables,
    entries.flatMap((each) => (each.type === 'table' ? each.tableHash : [])),
  )
  const openings = await find<OpeningRow>(
    readOpenings,
    entries.flatMap((each) => (each.type === 'opening' ? each.id : [])),
  )
  const stock = await find<{ index: number; entry: LogEntry }>(
    readStock,
    told.flatMap(({ index, entry }) => (entry?.type === 'stock' ? index : [])),
  )
  return {
    chains: new Map(chains.map((row) => [row.id, row])),
    tables: new Map(tables.map((row) => [row.table_hash, row.body])),
    openings: new Map(openings.map((row) => [row.id, row])),
    stock: new Map(stock.map((row) => [row.index, row.entry])),
  }
}

/** Why an entry is not what the books say, undefined when it is. */
export function differenceOf(
  { index, body, entry }: LoggedEntry,
  rows: LogRows,
  memory: LogMemory,
): string | undefined {
  switch (entry?.type) {
    case undefined:
      return 'it is of no known type'
    case 'chain': {
      const row = rows.chains.get(entry.chainId)
      if (row === undefined) return 'there is no such chain'
      return body === entryText(row.chain) ? undefined : 'the commitment of the chain was exchanged'
    }
    case 'end': {
      const row = rows.chains.get(entry.chainId)
      if (!row?.end) return 'there is no such chain that has ended'
      return body === entryText(row.end) ? undefined : 'the chain has ended otherwise'
    }
    case 'table':
      return tableDifference(body, entry, rows.tables.get(entry.tableHash))
    case 'opening': {
      const row = rows.openings.get(entry.id)
      if (row === undefined) return 'there is no such opening request'
      if (body !== entryText(row.entry)) return 'the opening request is another one'
      return row.index === index ? drawDifference(entry, memory) : 'the request stands elsewhere'
    }
    case 'stock':
      return stockDifference(body, entry, rows.stock.get(index), memory)
  }
}

function tableDifference(
  body: string,
  entry: LogEntry & { readonly type: 'table' },
  stored: string | undefined,
): string | undefined {
  if (stored === undefined) return 'there is no such odds table'
  const table = tableOfText(stored)
  if (table === undefined || tableHash(stored, nodeHashing) !== entry.tableHash) {
    return 'the odds table is not the one that was hashed'
  }
  const part = 'part' in entry ? entry.part : 1
  const expected = tableEntries(entry.tableHash, table)[part - 1]
  return expected && entryText(expected) === body ? undefined : 'the odds table is another one'
}

const otherStock = 'the stock does not follow from the entries before'

/** Keeps what is left of a prize. False when it is not what was left before and the change. */
function isNextStock(
  { stock }: LogMemory,
  prizeId: number,
  change: number,
  left: number | null,
): boolean {
  const before = stock.get(prizeId) ?? null
  stock.set(prizeId, left)
  return before === null || left === null || before + change === left
}

/**
 * Requests stand in the log in the order in which they took from a stock: each win has one unit
 * less than the last, and a prize is sold out when none is left. A stock that was never told is not
 * followed.
 */
function drawDifference({ results }: OpeningEntry, memory: LogMemory): string | undefined {
  let isBroken = false
  for (const [won, soldOut, left] of results) {
    const prizeId = won ?? soldOut
    if (prizeId === null || !memory.stock.has(prizeId)) continue
    if (!isNextStock(memory, prizeId, won === null ? 0 : -1, left)) isBroken = true
  }
  return isBroken ? otherStock : undefined
}

/** Without an event stands what changes nothing, and what a prize had when the log began. */
function stockDifference(
  body: string,
  { prizeId, delta, after }: LogEntry & { readonly type: 'stock' },
  told: LogEntry | undefined,
  memory: LogMemory,
): string | undefined {
  const isFirst = !memory.stock.has(prizeId)
  if (!isNextStock(memory, prizeId, delta, after)) return otherStock
  if (told === undefined) {
    const isPlain = delta === 0 || (isFirst && delta === after)
    return isPlain ? undefined : 'nothing in the history changed this stock'
  }
  return body === entryText(told) ? undefined : 'the change of stock is another one'
}

/** Wins and sold-out draws by the hash of the odds table and the prize, 0 for none. */
export type DrawSums = Record<string, Record<string, [wins: number, soldOut: number]>>

type SumRow = readonly [tableHash: string, prizeId: number, wins: number, soldOut: number]

// One statement, so that the sums are of the entries whose number it answers.
const readSums = statement(
  'read_sums_of_draws',
  `SELECT (SELECT coalesce(max(index) + 1, 0)::bigint FROM log_entries) AS size,
     (SELECT json_agg(json_build_array(t.table_hash, c.prize_id, c.wins, c.sold_out))
      FROM draw_counts c JOIN odds_tables t ON t.id = c.odds_table_id) AS kept`,
)

/** Adds what the entry of a request says. */
function addDraws(sums: DrawSums, { tableHash, results }: OpeningEntry): void {
  for (const [won, soldOut] of results) {
    add(sums, [tableHash, won ?? soldOut ?? 0, Number(soldOut === null), Number(soldOut !== null)])
  }
}

function add(sums: DrawSums, [tableHash, prizeId, wins, soldOut]: SumRow): void {
  const ofTable = sums[tableHash] ?? {}
  const [winsBefore, soldOutBefore] = ofTable[prizeId] ?? [0, 0]
  sums[tableHash] = { ...ofTable, [prizeId]: [winsBefore + wins, soldOutBefore + soldOut] }
}

/** Sums that differ from those of the first `size` entries; undefined when the log has grown. */
export async function brokenSums(
  db: Queryable,
  size: number,
  logged: DrawSums,
): Promise<BrokenRow[] | undefined> {
  const [row] = await db.run<{ size: number; kept: SumRow[] | null }>(readSums, [])
  if (row === undefined || row.size > size) return undefined
  const kept: DrawSums = {}
  for (const sum of row.kept ?? []) add(kept, sum)
  const named = (sums: DrawSums) =>
    Object.entries(sums).flatMap(([hash, of]) => Object.keys(of).map((prize) => `${hash}:${prize}`))
  return [...new Set([...named(logged), ...named(kept)])].flatMap((name) => {
    const [tableHash = '', prizeId = ''] = name.split(':')
    const [one, other] = [logged[tableHash]?.[prizeId], kept[tableHash]?.[prizeId]]
    if (one?.[0] === other?.[0] && one?.[1] === other?.[1]) return []
    return [{ tableHash, prizeId: Number(prizeId), problem: 'the sum of its draws is wrong' }]
  })
}
