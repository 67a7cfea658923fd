// Reads the acceptance list and the list of rows that are excused from an automated test.

export interface Requirement {
  readonly id: string
  /** Part of the list, for example `P2`; all tables of the data model are part `D`. */
  readonly part: string
  readonly text: string
}

export interface Excuse {
  readonly id: string
  readonly reason: string
  readonly checkedHow: string
}

/** An ID of the list, for example `P-031`. */
export const rowId = /^[PAD]-\d{3}$/
/** Heading of a part; its first group is the part. */
export const partHeading = /^## ([PAD]\d*)\. /

/** Cells of a table row; `\|` is a bar inside a cell. Undefined when the line is no row. */
export function cellsOf(line: string): string[] | undefined {
  if (!line.startsWith('|') || !line.endsWith('|')) return undefined
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}

/** @throws when an ID stands twice or a row stands before the first part */
export function readRequirements(text: string): Requirement[] {
  const found = new Map<string, Requirement>()
  let part: string | undefined
  for (const line of text.split('\n')) {
    part = partHeading.exec(line)?.[1] ?? part
    const [id = '', statement = ''] = cellsOf(line) ?? []
    if (!rowId.test(id)) continue
    if (part === undefined) throw new Error(`Row ${id} belongs to no part`)
    if (found.has(id)) throw new Error(`Row ${id} stands twice`)
    found.set(id, { id, part, text: statement })
  }
  return [...found.values()]
}

/**
 * Rows of the table `ID | reason | checked how`.
 * @throws when a cell is empty or an ID stands twice
 */
export function readExcuses(text: string): Excuse[] {
  const found = new Map<string, Excuse>()
  for (const line of text.split('\n')) {
    const [id = '', reason = '', checkedHow = ''] = cellsOf(line) ?? []
    if (!rowId.test(id)) continue
    if (reason === '' || checkedHow === '') throw new Error(`${id} is excused without a reason`)
    if (found.has(id)) throw new Error(`${id} is excused twice`)
    found.set(id, { id, reason, checkedHow })
  }
  return [...found.values()]
}
