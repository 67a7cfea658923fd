// A table as a CSV file, for lists that the browser has in full.

import { saveText } from '../../lib/save-file.ts'
import type { DataColumn } from './columns.tsx'

// As in the server's files: also after a mark inside at which spreadsheets of some locales part.
const formula = /^(?:[\s"]*[=+\-@\uff0b\uff0d\uff1d\uff20]|[\t\r\n])/
const formulaInside = /([;\t\r\n][\s"]*)(?=[=+\-@\uff0b\uff0d\uff1d\uff20])/g
const plainNumber = /^-?\d+(\.\d+)?$/

/** One value as CSV. What a spreadsheet would run as a formula becomes plain text (CWE-1236). */
export function csvCell(value: string | number): string {
  const text = String(value)
  const inside = text.replace(formulaInside, "$1'")
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${inside}` : inside
  return /["\n\r,;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The columns that have a value, with their headers; lines end as RFC 4180 has them. */
export function csvText<Row>(columns: readonly DataColumn<Row>[], rows: readonly Row[]): string {
  const written = columns.flatMap(({ header, value }) => (value ? [{ header, value }] : []))
  const lines = [
    written.map(({ header }) => csvCell(header)),
    ...rows.map((row) => written.map(({ value }) => csvCell(value(row)))),
  ]
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}

/** Hands a table to the browser as a file to keep. */
export function saveCsv(name: string, text: string): void {
  // The mark at the start tells spreadsheets that the text is UTF-8.
  saveText(`${name}.csv`, `\uFEFF${text}`, 'text/csv;charset=utf-8')
}
