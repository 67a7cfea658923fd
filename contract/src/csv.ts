// CSV lines that every reader understands and no spreadsheet runs as formulas.

/** Starts that make a spreadsheet read text as a formula, also in full width (U+FF0B...). */
const startsFormula = /^(?:[\s"]*[=+\-@\uff0b\uff0d\uff1d\uff20]|[\t\r\n\0])/
/**
 * Where a spreadsheet of another locale, which splits fields at semicolons or tabs and so reads our
 * quotes as text, would start a cell with a formula, even after quotes and blanks.
 */
const startsFormulaInside = /([;\t\r\n][\s"\0]*)(?=[=+\-@\uff0b\uff0d\uff1d\uff20])/g

/** At the start of a file, it tells spreadsheets that the text is UTF-8. */
export const csvMark = '\uFEFF'

const needsQuotes = /[",;\t\r\n]/

/**
 * One record of RFC 4180 with its line end. Numbers stay as they are. An apostrophe precedes what
 * a spreadsheet would run, at the start of a text or after a possible separator inside it, so that
 * it is shown as plain text. Null is an empty field.
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
