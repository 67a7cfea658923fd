// The entries of the public log: five kinds, each one line of JSON with exactly its keys in their
// order. Nothing else is read.

import {
  type Check,
  fits,
  isCount,
  isHex32,
  isId,
  isText,
  listOf,
  ordered,
  orNull,
  parsed,
  type Shape,
  utf8,
} from './bytes.ts'
import { isTable, type OddsTable, orderedTable, tableText } from './draw.ts'

/** A chain begins, with the commitment to its first seed. */
export interface ChainEntry {
  readonly type: 'chain'
  readonly chainId: number
  readonly commitment: string
}

/** An odds table, before the first opening that names it. */
export interface TableLogEntry {
  readonly type: 'table'
  readonly tableHash: string
  readonly table: OddsTable
}

/** A piece of the text of a table that is too long for one entry. */
export interface TablePartEntry {
  readonly type: 'table'
  readonly tableHash: string
  /** From 1. */
  readonly part: number
  readonly parts: number
  readonly text: string
}

/** Staff changed a limited stock; `after` is null where it has no end any more. */
export interface StockEntry {
  readonly type: 'stock'
  readonly prizeId: number
  readonly delta: number
  readonly after: number | null
}

/** Prize won, limited prize that was sold out, its stock after, RedCoin earned. */
export type LoggedResult = readonly [number | null, number | null, number | null, number]

/** One opening request with all its packs. */
export interface OpeningEntry {
  readonly type: 'opening'
  readonly id: string
  /** Cut to the minute, so that it points at nobody who was seen opening packs. */
  readonly at: string
  readonly packTypeId: number
  readonly tableHash: string
  readonly chainId: number
  readonly index: number
  readonly serverSeed: string
  readonly entropy: string
  readonly entropyFrom: 'player' | 'server'
  /** The commitment to the chain's next seed. */
  readonly next: string
  readonly results: readonly LoggedResult[]
}

/** A chain ends with its unused seed; null when that was given up because its key was lost. */
export interface EndEntry {
  readonly type: 'end'
  readonly chainId: number
  readonly index: number
  readonly serverSeed: string | null
}

export type LogEntry =
  | ChainEntry
  | TableLogEntry
  | TablePartEntry
  | StockEntry
  | OpeningEntry
  | EndEntry

/** An entry is told with its length in two bytes. */
export const entryBytesMax = 65_535
/** Packs of one request. */
export const packsMax = 50
/** A character takes at most six bytes of JSON, so a part of this length always fits. */
const partLength = 10_000
const minuteMillis = 60_000

/** The moment of an opening as its entry tells it. */
export function minuteOf(at: Date): string {
  return new Date(Math.floor(at.getTime() / minuteMillis) * minuteMillis).toISOString()
}

const isResult: Check = (value) => {
  if (!Array.isArray(value) || value.length !== 4) return false
  const [prizeId, soldOutPrizeId, stockAfter, redCoinEarned] = value
  return (
    orNull(isId)(prizeId) &&
    orNull(isId)(soldOutPrizeId) &&
    (prizeId === null || soldOutPrizeId === null) &&
    orNull(isCount)(stockAfter) &&
    isCount(redCoinEarned)
  )
}
const isMinute = /^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/

/** The keys of each kind in the order of its text. */
const shapes = {
  chain: { type: isText, chainId: isId, commitment: isHex32 },
  table: { type: isText, tableHash: isHex32, table: isTable },
  stock: { type: isText, prizeId: isId, delta: Number.isSafeInteger, after: orNull(isCount) },
  opening: {
    type: isText,
    id: (value: unknown) => isText(value) && value !== '',
    at: (value: unknown) => typeof value === 'string' && isMinute.test(value),
    packTypeId: isId,
    tableHash: isHex32,
    chainId: isId,
    index: isCount,
    serverSeed: isHex32,
    entropy: isHex32,
    entropyFrom: (value: unknown) => value === 'player' || value === 'server',
    next: isHex32,
    results: (value: unknown) =>
      listOf(isResult, packsMax)(value) && (value as object[]).length > 0,
  },
  end: { type: isText, chainId: isId, index: isCount, serverSeed: orNull(isHex32) },
}

const partShape: Shape<TablePartEntry> = {
  type: isText,
  tableHash: isHex32,
  part: isId,
  parts: (value: unknown) => isId(value) && value !== 1,
  text: isText,
}

const shapeOf = (entry: LogEntry) =>
  (entry.type === 'table' && !('table' in entry) ? partShape : shapes[entry.type]) as
    | Shape<LogEntry>
    | undefined

/** The one text of an entry. */
export function entryText(entry: LogEntry): string {
  const whole = 'table' in entry ? { ...entry, table: orderedTable(entry.table) } : entry
  return JSON.stringify(ordered(shapeOf(entry) as Shape<LogEntry>, whole))
}

/** The entries that publish a table: one, or the parts of its text where it is too long. */
export function tableEntries(tableHash: string, table: OddsTable): LogEntry[] {
  const whole: TableLogEntry = { type: 'table', tableHash, table }
  if (utf8(entryText(whole)).length <= entryBytesMax) return [whole]
  const pieces = piecesOf(tableText(table))
  return pieces.map((text, at) => ({
    ...{ type: 'table', tableHash, part: at + 1, parts: pieces.length, text },
  }))
}

/** Pieces that put together give the text; no character of two halves is cut. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + partLength, text.length)
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

/** Whether what was made as an entry is one of the five kinds, and can be told. */
export function isEntry(entry: LogEntry): boolean {
  const shape = shapeOf(entry)
  return shape !== undefined && fits(shape, entry)
}

/** The entry that a text is; undefined for whatever is not one of the five kinds to the letter. */
export function entryOfText(text: string): LogEntry | undefined {
  const entry = (parsed(text) ?? {}) as LogEntry
  return isEntry(entry) && entryText(entry) === text ? entry : undefined
}
