// A CSV file of many rows, made batch by batch.

import { csvLine } from '@redpack/contract/csv'

export interface CsvFile<Row> {
  readonly heading: readonly string[]
  readonly cells: (row: Row) => readonly (string | number | null)[]
  /** The rows that come after `last` in the order of the file, `limit` at most. */
  readonly read: (last: Row | undefined, limit: number) => Promise<readonly Row[]>
  /** Rows at most; what is beyond is left out. */
  readonly rowsMax: number
}

const batchRowsMax = 1_000

/** The pieces of the file: its heading, then up to 1000 rows each. */
export async function* csvPieces<Row>(file: CsvFile<Row>): AsyncGenerator<string> {
  yield csvLine(file.heading)
  let last: Row | undefined
  for (let left = file.rowsMax; left > 0; ) {
    const wanted = Math.min(left, batchRowsMax)
    const rows = await file.read(last, wanted)
    if (rows.length > 0) yield rows.map((row) => csvLine(file.cells(row))).join('')
    if (rows.length < wanted) return
    left -= rows.length
    last = rows.at(-1)
  }
}
