// The entries of the public log: six kinds, each one line of JSON with exactly its keys in their
// order. Nothing else is read.

import {
  fits,
  isCount,
  isHex32,
  isId,
  isOneOf,
  isText,
  listOf,
  ordered,
  orNull,
  parsed,
  type Shape,
  type Shaped,
  utf8,
} from './bytes.ts'
import { stepShape } from './delivery-record.ts'
import { isTable, type OddsTable, orderedTable, tableText } from './draw.ts'

/** Prize won, limited prize that was sold out, its stock after, RedCoin earned. */
export type LoggedResult = readonly [number | null, number | null, number | null, number]

/** An entry is told with its length in two bytes. */
export const entryBytesMax = 65_535
export const packsMax = 50
/** A character takes at most six bytes of JSON, so a part of this length always fits. */
const partLength = 10_000
const minuteMillis = 60_000

/** The moment of an opening as its entry tells it. */
export function minuteOf(at: Date): string {
  return new Date(Math.floor(at.getTime() / minuteMillis) * minuteMillis).toISOString()
}

const isResult = (value: unknown): value is LoggedResult => {
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

/** The keys of each kind in the order of its text; docs/economy.md says what they tell. */
const shapes = {
  chain: { type: isOneOf('chain'), chainId: isId, commitment: isHex32 },
  table: { type: isOneOf('table'), tableHash: isHex32, table: isTable },
  /** A piece of the text of a table that is too long for one entry. */
  part: {
    type: isOneOf('table'),
    tableHash: isHex32,
    part: isId,
    parts: (value: unknown): value is number => isId(value) && value !== 1,
    text: isText,
  },
  stock: {
    type: isOneOf('stock'),
    prizeId: isId,
    delta: (value: unknown): value is number => Number.isSafeInteger(value),
    after: orNull(isCount),
  },
  opening: {
    type: isOneOf('opening'),
    id: (value: unknown): value is string => isText(value) && value !== '',
    /** Cut to the minute, so that it points at nobody who was seen opening packs. */
    at: (value: unknown): value is string => isText(value) && isMinute.test(value),
    packTypeId: isId,
    tableHash: isHex32,
    chainId: isId,
    index: isCount,
    serverSeed: isHex32,
    entropy: isHex32,
    entropyFrom: isOneOf('player', 'server'),
    next: isHex32,
    results: (value: unknown): value is readonly LoggedResult[] =>
      listOf(isResult, packsMax)(value) && value.length > 0,
  },
  end: { type: isOneOf('end'), chainId: isId, index: isCount, serverSeed: orNull(isHex32) },
  shipment: stepShape,
}

/** An entry of one kind, or `part` of a table. */
export type Entry<Kind extends keyof typeof shapes> = Shaped<(typeof shapes)[Kind]>
export type LogEntry = { [Kind in keyof typeof shapes]: Entry<Kind> }[keyof typeof shapes]

const shapeOf = (entry: LogEntry) =>
  shapes[entry.type === 'table' && 'part' in entry ? 'part' : entry.type] as
    | Shape<LogEntry>
    | undefined

export function entryText(entry: LogEntry): string {
  const whole = 'table' in entry ? { ...entry, table: orderedTable(entry.table) } : entry
  return JSON.stringify(ordered(shapeOf(entry) as Shape<LogEntry>, whole))
}

/** The entries that publish a table: one, or the parts of its text where it is too long. */
export function tableEntries(tableHash: string, table: OddsTable): LogEntry[] {
  const whole: LogEntry = { type: 'table', tableHash, table }
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
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

/** Whether what was made as an entry is one of the six kinds, and can be told. */
export function isEntry(entry: LogEntry): boolean {
  const shape = shapeOf(entry)
  return shape !== undefined && fits(shape, entry)
}

/** The entry that a text is; undefined for whatever is not one of the six kinds to the letter. */
export function entryOfText(text: string): LogEntry | undefined {
  const entry = (parsed(text) ?? {}) as LogEntry
  return isEntry(entry) && entryText(entry) === text ? entry : undefined
}

/**
 * The entry of an opening request that agrees with all of this that an entry says; undefined for
 * every other text.
 */
export function openingOfText(
  text: string,
  said: { readonly [Key in keyof Entry<'opening'>]?: unknown } = {},
): Entry<'opening'> | undefined {
  const entry = entryOfText(text)
  if (entry?.type !== 'opening') return undefined
  const keys = Object.keys(entry) as (keyof Entry<'opening'>)[]
  return keys.every((key) => !(key in said) || entry[key] === said[key]) ? entry : undefined
}
