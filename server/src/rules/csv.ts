// Lines of a CSV file that every reader understands and no spreadsheet runs.

/** A spreadsheet takes text that starts like this for a formula, also in full width (U+FF0B...). */
const startsFormula = /^[=+\-@\t\r\n\0\uff0b\uff0d\uff1d\uff20]/

const needsQuotes = /[",\r\n]/

/**
 * One record of RFC 4180 with its line end. Numbers stand as they are; text that a spreadsheet
 * would run is led by an apostrophe, which spreadsheets show as plain text. Null is an empty field.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | number | null): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const plain = startsFormula.test(cell) ? `'${cell}` : cell
  return needsQuotes.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
