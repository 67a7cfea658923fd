// The entries of the public log: five kinds, each one line of JSON with exactly its keys in their
// order. Nothing else is read.

import { isHex32, utf8 } from './bytes.ts'
import { type OddsTable, tableOfText, tableText } from './odds.ts'

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

/** The one text of an entry. */
export function entryText(entry: LogEntry): string {
  switch (entry.type) {
    case 'chain': {
      const { type, chainId, commitment } = entry
      return JSON.stringify({ type, chainId, commitment })
    }
    case 'table': {
      const { type, tableHash } = entry
      if ('table' in entry) {
        return `{"type":"table","tableHash":${JSON.stringify(tableHash)},"table":${tableText(entry.table)}}`
      }
      const { part, parts, text } = entry
      return JSON.stringify({ type, tableHash, part, parts, text })
    }
    case 'stock': {
      const { type, prizeId, delta, after } = entry
      return JSON.stringify({ type, prizeId, delta, after })
    }
    case 'opening': {
      const { type, id, at, packTypeId, tableHash, chainId, index, ...rest } = entry
      const { serverSeed, entropy, entropyFrom, next, results } = rest
      const draw = { serverSeed, entropy, entropyFrom, next, results }
      return JSON.stringify({ type, id, at, packTypeId, tableHash, chainId, index, ...draw })
    }
    case 'end': {
      const { type, chainId, index, serverSeed } = entry
      return JSON.stringify({ type, chainId, index, serverSeed })
    }
  }
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

/** The entry that a text is; undefined for whatever is not one of the five kinds to the letter. */
export function entryOfText(text: string): LogEntry | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const entry = value as LogEntry
  return isEntry(entry) && entryText(entry) === text ? entry : undefined
}

const isCount = (value: unknown, min = 0) => Number.isSafeInteger(value) && (value as number) >= min
const isCountOrNull = (value: unknown) => value === null || isCount(value)

function isEntry(entry: LogEntry): boolean {
  switch (entry.type) {
    case 'chain':
      return isCount(entry.chainId, 1) && isHex32(entry.commitment)
    case 'table':
      return isHex32(entry.tableHash) && ('table' in entry ? isTable(entry.table) : isPart(entry))
    case 'stock':
      return (
        isCount(entry.prizeId, 1) && Number.isSafeInteger(entry.delta) && isCountOrNull(entry.after)
      )
    case 'opening':
      return isOpening(entry)
    case 'end':
      return (
        isCount(entry.chainId, 1) &&
        isCount(entry.index) &&
        (entry.serverSeed === null || isHex32(entry.serverSeed))
      )
    default:
      return false
  }
}

const isTable = (value: unknown) => tableOfText(JSON.stringify(value)) !== undefined

function isPart({ part, parts, text }: TablePartEntry): boolean {
  return isCount(part, 1) && isCount(parts, 2) && part <= parts && typeof text === 'string'
}

function isOpening(entry: OpeningEntry): boolean {
  const { id, at, serverSeed, entropy, entropyFrom, next, results } = entry
  return (
    typeof id === 'string' &&
    id !== '' &&
    typeof at === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/.test(at) &&
    isCount(entry.packTypeId, 1) &&
    isCount(entry.chainId, 1) &&
    isCount(entry.index) &&
    [entry.tableHash, serverSeed, entropy, next].every(isHex32) &&
    (entropyFrom === 'player' || entropyFrom === 'server') &&
    Array.isArray(results) &&
    results.length >= 1 &&
    results.length <= packsMax &&
    results.every(isResult)
  )
}

function isResult(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 4) return false
  const [prizeId, soldOutPrizeId, stockAfter, redCoinEarned] = value
  return (
    (prizeId === null || (isCount(prizeId, 1) && soldOutPrizeId === null)) &&
    (soldOutPrizeId === null || isCount(soldOutPrizeId, 1)) &&
    isCountOrNull(stockAfter) &&
    isCount(redCoinEarned)
  )
}
