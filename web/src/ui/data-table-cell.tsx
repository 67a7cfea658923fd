// One cell of a table, or what is left of it when its row was deleted.

import type { ReactNode } from 'react'
import { cn } from '../lib/class-names.ts'
import type { DataColumn } from './data-table-columns.tsx'
import { hidden, seen } from './deleted-line.tsx'

/** What can be done with a row stays in sight when the table is wider than its window. */
export const atEnd = 'last:sticky last:end-0 last:z-1'

export interface CellProps<Row> {
  readonly column: DataColumn<Row>
  readonly row: Row
  readonly isFirst: boolean
  readonly line: ReactNode
}

/** The first cell heads its row and stays in sight, and so does the last one that acts. */
export function Cell<Row>({ column, row, isFirst, line }: CellProps<Row>) {
  const look = cn(
    'px-2.5 py-1.5',
    column.isNumber ? 'text-end tabular-nums' : 'text-start',
    column.takesRest && 'w-full max-w-0 min-w-40',
    isFirst && 'sticky start-0 z-1 bg-inherit font-normal',
    column.isFixed && atEnd,
    column.isFixed && 'bg-inherit',
  )
  const content = column.cell(row)
  const style = line ? hidden : undefined
  return isFirst ? (
    <th scope="row" className={look} style={style}>
      {content}
      {line && (
        <div
          style={seen}
          className="absolute inset-y-0 start-2.5 flex w-max max-w-140 items-center"
        >
          {line}
        </div>
      )}
    </th>
  ) : (
    <td className={look} style={style}>
      {content}
    </td>
  )
}
