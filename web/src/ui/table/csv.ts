// A table as a CSV file, for lists that the browser has in full.

import { csvLine, csvMark } from '@redpack/contract/csv'
import { saveText } from '../../lib/save-file.ts'
import type { DataColumn } from './columns.tsx'

/** The columns that have a value, with their headers, in lines as the server's files have them. */
export function csvText<Row>(columns: readonly DataColumn<Row>[], rows: readonly Row[]): string {
  const written = columns.flatMap(({ header, value }) => (value ? [{ header, value }] : []))
  const lines = rows.map((row) => csvLine(written.map(({ value }) => value(row))))
  return [csvLine(written.map(({ header }) => header)), ...lines].join('')
}

/** Hands a table to the browser as a file to keep. */
export function saveCsv(name: string, text: string): void {
  saveText(`${name}.csv`, csvMark + text, 'text/csv;charset=utf-8')
}
