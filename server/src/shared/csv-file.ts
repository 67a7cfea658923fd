// A CSV file of many rows, made batch by batch.

import { csvLine, csvMark } from '@redpack/contract/csv'

type Cell<Row> = (row: Row) => string | number | null | undefined

export interface CsvFile<Row> {
  /** What the heading calls each column, and what a row has in it, in the order of the file. */
  readonly columns: Readonly<Record<string, Cell<Row>>>
  /** The rows that come after `last` in the order of the file, `limit` at most. */
  readonly read: (last: Row | undefined, limit: number) => Promise<readonly Row[]>
  /** Rows at most; what is beyond is left out. */
  readonly rowsMax: number
}

const batchRowsMax = 1_000

/**
 * The pieces of the file: up to 1000 rows each, the first with its heading. Nothing comes where the
 * first rows cannot be read.
 */
export async function* csvPieces<Row>(file: CsvFile<Row>): AsyncGenerator<string> {
  let heading = csvMark + csvLine(Object.keys(file.columns))
  const cells = Object.values(file.columns)
  let last: Row | undefined
  for (let left = file.rowsMax; left > 0; ) {
    const wanted = Math.min(left, batchRowsMax)
    const rows = await file.read(last, wanted)
    const line = (row: Row) => csvLine(cells.map((cell) => cell(row) ?? null))
    yield heading + rows.map(line).join('')
    heading = ''
    if (rows.length < wanted) return
    left -= rows.length
    last = rows.at(-1)
  }
}

/** Columns that are called as the row calls what stands in them. */
export function ownColumns<Name extends string>(...names: readonly Name[]) {
  return Object.fromEntries(
    names.map((name) => [
      name,
      (row: { readonly [Key in Name]: string | number | null }) => row[name],
    ]),
  )
}
