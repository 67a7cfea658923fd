// Reads the acceptance list, the rows excused from an automated test, and the index of the tests
// that prove the others.

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

/** Where the index stands, for messages too. */
export const indexPath = 'docs/requirements-tests.md'

/** An ID of the list, for example `P-031`. */
const rowId = /^[PAD]-\d{3}$/
/** Heading of a part; its first group is the part. */
const partHeading = /^## ([PAD]\d*)\. /

/** Cells of a table row; `\|` is a bar inside a cell. Undefined when the line is no row. */
function cellsOf(line: string): string[] | undefined {
  if (!line.startsWith('|') || !line.endsWith('|')) return undefined
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}

/** @throws when an ID appears twice or a row is above the first part */
export function readRequirements(text: string): Requirement[] {
  const found = new Map<string, Requirement>()
  let part: string | undefined
  for (const line of text.split('\n')) {
    part = partHeading.exec(line)?.[1] ?? part
    const [id = '', statement = ''] = cellsOf(line) ?? []
    if (!rowId.test(id)) continue
    if (part === undefined) throw new Error(`Row ${id} belongs to no part`)
    if (found.has(id)) throw new Error(`Row ${id} appears twice`)
    found.set(id, { id, part, text: statement })
  }
  return [...found.values()]
}

/**
 * Rows of the table `ID | reason | checked how`.
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

export interface Proof {
  /** ID of a requirement row, for example `P-031`. */
  readonly id: string
  readonly file: string
  /** Groups and title as `scanTests` gives them. */
  readonly title: string
  /** One text of the test's table, where a single row of the table proves the requirement. */
  readonly case: string | undefined
  /** Heading above the line, for example `P2`. */
  readonly part: string | undefined
  /** Line of the index, from 1. */
  readonly line: number
}

/**
 * Lines of the table `ID | test file | test | case`, the last cell only where there is a case.
 */
export function readProofs(text: string): Proof[] {
  const found: Proof[] = []
  let part: string | undefined
  for (const [index, written] of text.split('\n').entries()) {
    part = partHeading.exec(written)?.[1] ?? part
    const [id = '', file = '', title = '', one = '', ...more] = cellsOf(written) ?? []
    if (!rowId.test(id)) continue
    const line = index + 1
    if (file === '' || title === '' || more.length > 0) {
      throw new Error(`${indexPath}:${line} is not | ID | test file | test | case |`)
    }
    const plain = (cell: string) => cell.replaceAll('\\|', '|')
    const chosen = one === '' ? undefined : plain(one)
    found.push({ id, file, title: plain(title), case: chosen, part, line })
  }
  return found
}
