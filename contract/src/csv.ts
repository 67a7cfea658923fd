// Lines of a CSV file that every reader understands and no spreadsheet runs.

/** A spreadsheet takes text that starts like this for a formula, also in full width (U+FF0B...). */
const startsFormula = /^(?:[\s"]*[=+\-@\uff0b\uff0d\uff1d\uff20]|[\t\r\n\0])/
/**
 * Where a spreadsheet of another locale, which parts fields at semicolons or tabs and so takes our
 * quotes for text, would begin a cell with a formula. Quotes and blanks before it do not help.
 */
const startsFormulaInside = /([;\t\r\n][\s"\0]*)(?=[=+\-@\uff0b\uff0d\uff1d\uff20])/g

const needsQuotes = /[",;\t\r\n]/

/**
 * One record of RFC 4180 with its line end. Numbers stand as they are; what a spreadsheet would
 * run, at the start of a text or after a mark inside it at which some part fields, is led by an
 * apostrophe, which spreadsheets show as plain text. Null is an empty field.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | number | null): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const inside = cell.replace(startsFormulaInside, "$1'")
  const plain = startsFormula.test(cell) ? `'${inside}` : inside
  return needsQuotes.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
