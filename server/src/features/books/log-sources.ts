// What the books say today that entries of the public log must be.

import { tableHash, tableOfText } from '@redpack/fair/draw'
import { entryText, type LogEntry, type StockEntry, tableEntries } from '@redpack/fair/entries'
import { type Queryable, type Statement, statement } from '../../adapters/db/database.ts'
import { nodeHashing } from '../../adapters/random/hashing.ts'
import {
  chainEntry,
  endEntry,
  type LoggedChainRow,
  type LoggedOpeningRow,
  loggedOpeningColumns,
  openingEntry,
  stockEntry,
} from '../fairness/log-queue-tables.ts'

const readChains = statement(
  'read_logged_chains',
  `SELECT id, first_commitment AS "firstCommitment", index, ended_at IS NOT NULL AS "isEnded",
     end_seed AS "endSeed"
   FROM draw_chains WHERE id = ANY ($1::bigint[])`,
)
const readTables = statement(
  'read_logged_tables',
  'SELECT table_hash, body FROM odds_tables WHERE table_hash = ANY ($1::text[])',
)
const readOpenings = statement(
  'read_logged_openings',
  `SELECT ${loggedOpeningColumns}, l.index
   FROM log_requests l JOIN opening_requests r ON r.id = l.request_id
   JOIN odds_tables t ON t.id = r.odds_table_id
   WHERE r.id::text = ANY ($1::text[])`,
)
const readStock = statement(
  'read_logged_stock',
  `SELECT l.index, e.ref_id AS "prizeId", e.delta, e.quantity_after AS after
   FROM log_stock_events l
   JOIN stock_events e ON e.id = l.event_id WHERE l.index = ANY ($1::bigint[])`,
)

type ChainRow = LoggedChainRow & { readonly id: number }
type OpeningRow = LoggedOpeningRow & { readonly index: number }

type StockRow = Omit<StockEntry, 'type'> & { readonly index: number }

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
  readonly stock: ReadonlyMap<number, StockRow>
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
  const stock = await find<StockRow>(
    readStock,
    told.flatMap(({ index, entry }) => (entry?.type === 'stock' ? index : [])),
  )
  return {
    chains: new Map(chains.map((row) => [row.id, row])),
    tables: new Map(tables.map((row) => [row.table_hash, row.body])),
    openings: new Map(openings.map((row) => [row.requestId, row])),
    stock: new Map(stock.map((row) => [row.index, row])),
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
      const isSame = body === entryText(chainEntry(entry.chainId, row))
      return isSame ? undefined : 'the commitment of the chain was exchanged'
    }
    case 'end': {
      const row = rows.chains.get(entry.chainId)
      if (row?.isEnded !== true) return 'there is no such chain that has ended'
      const isSame = body === entryText(endEntry(entry.chainId, row))
      return isSame ? undefined : 'the chain has ended otherwise'
    }
    case 'table':
      return tableDifference(body, entry, rows.tables.get(entry.tableHash))
    case 'opening': {
      const row = rows.openings.get(entry.id)
      if (row === undefined) return 'there is no such opening request'
      if (body !== entryText(openingEntry(row))) return 'the opening request is another one'
      return row.index === index ? drawDifference(row, memory) : 'the request stands elsewhere'
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
function drawDifference({ results }: OpeningRow, memory: LogMemory): string | undefined {
  let isBroken = false
  for (const [won, soldOut, left] of results ?? []) {
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
  row: StockRow | undefined,
  memory: LogMemory,
): string | undefined {
  const isFirst = !memory.stock.has(prizeId)
  if (!isNextStock(memory, prizeId, delta, after)) return otherStock
  if (row === undefined) {
    const isPlain = delta === 0 || (isFirst && delta === after)
    return isPlain ? undefined : 'nothing in the history changed this stock'
  }
  const expected = entryText(stockEntry(row))
  return body === expected ? undefined : 'the change of stock is another one'
}
