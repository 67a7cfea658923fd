// Reads the CSV file of a bulk grant into rows, without judging them.

import { bulkRowsMax } from '@redpack/contract/limits'
import { DomainError } from '../shared/domain-error.ts'
import { numberText } from '../shared/number-text.ts'

export type BulkKind = 'packs' | 'redcoin'

/** The second column of the file; the first is `username`. */
export const amountColumn: Readonly<Record<BulkKind, string>> = {
  packs: 'quantity',
  redcoin: 'amount',
}

export interface BulkRow {
  /** As a spreadsheet counts: the header is row 1, blank lines count. */
  readonly row: number
  readonly username: string
  /** The cell as it stands, without the white space around it. */
  readonly amount: string
}

function unusable(message: string): DomainError {
  return new DomainError('invalid_input', message)
}

/** A CSV file by its name; the declared type decides only where the name has no ending. */
export function isCsvFile(fileName: string, contentType: string): boolean {
  const ending = /\.([^./\\]*)$/.exec(fileName)?.[1]
  return ending === undefined ? /^text\/csv\b/i.test(contentType) : ending.toLowerCase() === 'csv'
}

/** Rows of a file with the columns username and quantity (packs) or amount (RedCoin). */
export function readBulkFile(bytes: Uint8Array, kind: BulkKind): BulkRow[] {
  const read = readTable(bytes, ['username', amountColumn[kind]])
  return read.map(({ row, cells: [username = '', amount = ''] }) => ({ row, username, amount }))
}

interface TableRow {
  /** As a spreadsheet counts: the header is row 1, blank lines count. */
  readonly row: number
  readonly cells: readonly string[]
}

/**
 * Rows of a file with these columns in any order, named in any case; other columns are ignored.
 * Any line ends, quoted cells; commas, semicolons or tabs, whichever tell the columns apart. Text
 * that is no Unicode is read as Windows-1252, which spreadsheets write: names and numbers in it
 * are the same, and a name that is not is unknown.
 * @throws DomainError invalid_input for what is no such file, for more than 10,000 rows, and for
 * none
 */
export function readTable(bytes: Uint8Array, columns: readonly string[]): TableRow[] {
  const text = decodeFile(bytes, 'CSV file', ['utf-8', 'windows-1252'])
  for (const separator of separators) {
    const records = recordsOf(text, separator)
    const places = placesOf(columns, records.next().value)
    if (!places.includes(-1)) return rowsBelow(records, places)
  }
  throw unusable(`The CSV file needs a header row: ${columns.join()}`)
}

function rowsBelow(records: Iterable<TableRow>, places: readonly number[]): TableRow[] {
  const rows: TableRow[] = []
  for (const { row, cells } of records) {
    if (rows.length === bulkRowsMax) {
      throw unusable(`The CSV file must have ${numberText(bulkRowsMax)} rows or less`)
    }
    rows.push({ row, cells: places.map((at) => (cells[at] ?? '').trim()) })
  }
  if (rows.length === 0) throw unusable('The CSV file has no rows below its header')
  return rows
}

/** Where each of the columns stands in a header; -1 for one that it does not name. */
function placesOf(columns: readonly string[], header: TableRow | undefined): number[] {
  const names = (header?.cells ?? []).map((cell) => cell.trim().toLowerCase())
  return columns.map((column) => names.indexOf(column.toLowerCase()))
}

/** Marks at the beginning of a file, and what it is written in then. */
const byteOrders = new Map([
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
])

/**
 * The text of a file, without a byte-order mark; `what` names the file where it is none. Without a
 * mark of UTF-16 it is in the first of the encodings that it can be in.
 * @throws DomainError invalid_input
 */
export function decodeFile(bytes: Uint8Array, what: string, encodings = ['utf-8']): string {
  const marked = byteOrders.get(Buffer.from(bytes.subarray(0, 2)).toString('hex'))
  for (const encoding of marked ? [marked] : encodings) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
      if (!text.includes('\0')) return text
    } catch {
      // Said below: what is wrong with the bytes helps nobody.
    }
  }
  throw unusable(`The ${what} is not UTF-8 text`)
}

/** Spreadsheets of half the world write semicolons, and tabs as Unicode text. */
const separators = [',', ';', '\t'] as const
type Separator = (typeof separators)[number]

/** The records of RFC 4180 that hold more than blanks, with all of their cells. */
function* recordsOf(text: string, separator: Separator): Generator<TableRow, undefined> {
  let cells: string[] = []
  let at = 0
  for (let row = 1; at < text.length; ) {
    // Of nothing but these there may be millions.
    while (cells.length === 0 && text[at] === '\n') {
      at += 1
      row += 1
    }
    const { cell, end } = readCell(text, at, separator)
    cells.push(cell)
    at = end
    if (text[at] === separator) {
      at += 1
      // A separator that ends the text has one more cell after it, an empty one.
      if (at < text.length) continue
      cells.push('')
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1
    at += 1
    if (cells.some((each) => each.trim() !== '')) yield { row, cells }
    cells = []
    row += 1
  }
  return undefined
}

/** One cell from `at`; `end` is where its separator or line end stands, or the end of the text. */
function readCell(text: string, at: number, separator: Separator): { cell: string; end: number } {
  if (text[at] !== '"') {
    const end = endOfPlain(text, at, separator)
    return { cell: text.slice(at, end), end }
  }
  let cell = ''
  let from = at + 1
  while (true) {
    const quote = text.indexOf('"', from)
    if (quote === -1) throw unusable('The CSV file has a quotation mark that is not closed')
    cell += text.slice(from, quote)
    if (text[quote + 1] !== '"') {
      // What stands between the closing mark and the separator still belongs to the cell.
      const end = endOfPlain(text, quote + 1, separator)
      return { cell: cell + text.slice(quote + 1, end), end }
    }
    cell += '"'
    from = quote + 2
  }
}

/** Letter by letter: a search for a pattern costs more, and there may be millions of cells. */
function endOfPlain(text: string, from: number, separator: Separator): number {
  let at = from
  while (at < text.length) {
    const letter = text[at]
    if (letter === separator || letter === '\n' || letter === '\r') break
    at += 1
  }
  return at
}

export type BulkVerdict =
  | 'ok'
  | 'unknown'
  | 'ambiguous'
  | 'renamed'
  | 'duplicate'
  | 'bad_number'
  | 'over_limit'

/** A user who carries a name of the file now. */
export interface Carrier {
  readonly id: number
  readonly username: string
  readonly displayName: string
  /** RedCoin or packs of the type they have. */
  readonly has: number
}

export interface BulkScene {
  readonly carriers: ReadonlyMap<string, readonly Carrier[]>
  /** Who carried a name that nobody carries now. */
  readonly former: ReadonlyMap<string, Pick<Carrier, 'id' | 'username' | 'displayName'>>
  /** The most that one balance or holding can be. */
  readonly max: number
}

export interface JudgedRow {
  readonly row: number
  readonly username: string
  readonly userId: number | null
  readonly displayName: string | null
  readonly verdict: BulkVerdict
  /** Null for a row that is applied. */
  readonly reason: string | null
  /** What the row asks for; null where it is no whole number, or one that no number can hold. */
  readonly amount: number | null
  /** What the user has afterwards; null for a row that is not applied. */
  readonly after: number | null
}

const digits = /^-?[0-9]+$/

/**
 * One verdict per row. Names match exactly. Of a name that stands several times the first row
 * counts, whatever its verdict.
 */
export function judgeRows(rows: readonly BulkRow[], scene: BulkScene): JudgedRow[] {
  const seen = new Set<string>()
  return rows.map((row) => {
    const isRepeated = seen.has(row.username)
    seen.add(row.username)
    return judge(row, isRepeated, scene)
  })
}

function judge(row: BulkRow, isRepeated: boolean, scene: BulkScene): JudgedRow {
  const carriers = scene.carriers.get(row.username) ?? []
  const carrier = carriers.length === 1 ? carriers[0] : undefined
  const former = carriers.length === 0 ? scene.former.get(row.username) : undefined
  const value = digits.test(row.amount) ? Number(row.amount) : Number.NaN
  const amount = Number.isSafeInteger(value) ? value : null
  const person = carrier ?? former
  const judged = (verdict: BulkVerdict, reason: string | null): JudgedRow => ({
    row: row.row,
    username: row.username,
    userId: person?.id ?? null,
    displayName: person?.displayName ?? null,
    verdict,
    reason,
    amount,
    after: verdict === 'ok' && carrier !== undefined ? carrier.has + value : null,
  })
  if (row.username === '') return judged('unknown', 'no username')
  if (isRepeated) return judged('duplicate', 'duplicate')
  if (carriers.length > 1) return judged('ambiguous', 'several users have this name')
  if (former !== undefined) return judged('renamed', `renamed to ${former.username}`)
  if (carrier === undefined) return judged('unknown', 'unknown user')
  if (Number.isNaN(value)) return judged('bad_number', 'not a whole number')
  if (value < 1) return judged('bad_number', 'below 1')
  return carrier.has + value > scene.max
    ? judged('over_limit', 'over the limit')
    : judged('ok', null)
}
