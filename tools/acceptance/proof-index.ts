// Reads the index that names, for each requirement, the tests that prove it.

import { cellsOf, partHeading, rowId } from './requirement-rows.ts'

/** Where the index stands, for messages too. */
export const indexPath = 'docs/requirements-tests.md'

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
 * @throws when a line has an ID but no file or no title
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
