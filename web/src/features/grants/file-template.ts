// A file to fill in, with the right header and one example.

import type { BatchKind } from '@redpack/contract'
import { saveCsv } from '../../ui/data-table-csv.ts'

const columns = { packs: 'username,quantity', redcoin: 'username,amount' } as const

/** The columns of the file, as they stand in its header. */
export function columnsOf(kind: BatchKind): string {
  return columns[kind]
}

export function saveTemplate(kind: BatchKind): void {
  const example = kind === 'packs' ? 'some_viewer,2' : 'some_viewer,100'
  saveCsv(`${kind}-template`, `${columns[kind]}\r\n${example}\r\n`)
}
