// The rows of a list: a table with headers that sort and rows that the keyboard walks, and labelled
// cards where a table would not fit.

import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef, useState } from 'react'
import { cn } from '../../lib/class-names.ts'
import { useMedia } from '../../lib/media.ts'
import { SelectField } from '../form/select-field.tsx'
import { entered } from '../form/text-field.tsx'
import type { DataColumn } from './columns.tsx'
import { hidden, KeptPlace, seen } from './deleted-rows.tsx'
import type { RowId } from './frozen-rows.ts'
import { type Selection, SelectionBox } from './selection.tsx'

/** Low rows and controls where a mouse points; what a finger presses keeps its 44 px. */
const lowRows =
  'pointer-fine:[&_:is(.button,.input,.min-h-11)]:min-h-8 pointer-fine:[&_:is(.button,.input)]:py-0.5 pointer-fine:[&_.button-icon]:w-8 pointer-fine:[&_.size-11]:h-8'

export interface DataRowsProps<Row> {
  readonly label: string
  readonly columns: readonly DataColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowId: (row: Row) => RowId
  /** Names a row, for its box and for those who do not see it. */
  readonly rowName: (row: Row) => string
  readonly sort: string
  readonly onSort: (sort: string) => void
  /** Absent when rows cannot be ticked. */
  readonly selection?: Selection<Row>
  readonly onOpen?: (row: Row) => void
  /** What stands in place of a row that was deleted. */
  readonly lineOf: (row: Row) => ReactNode
}

/** The order after a press on a header: numbers start with the highest, texts with the first. */
function nextSort(sort: string, { id, isNumber }: { id: string; isNumber?: boolean }) {
  if (sort === id) return `-${id}`
  if (sort === `-${id}`) return id
  return isNumber ? `-${id}` : id
}

const directions = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown } as const

function directionOf(sort: string, id: string): keyof typeof directions {
  if (sort === id) return 'ascending'
  return sort === `-${id}` ? 'descending' : 'none'
}

function HeaderCell<Row>({
  column,
  isFirst,
  sort,
  onSort,
}: Pick<DataRowsProps<Row>, 'sort' | 'onSort'> & Pick<CellProps<Row>, 'column' | 'isFirst'>) {
  const direction = directionOf(sort, column.id)
  const Icon = directions[direction]
  return (
    <th
      scope="col"
      title={column.isSortable ? undefined : column.header}
      aria-sort={column.isSortable ? direction : undefined}
      className={cn(
        'h-11 border-b border-line px-2.5 font-display font-semibold text-muted',
        isFirst && 'pinned-start sticky start-0 z-1 bg-surface',
        column.isFixed && atEnd,
        column.isFixed && 'bg-surface',
        column.isNumber ? 'text-end' : 'whitespace-nowrap text-start',
      )}
    >
      {column.isSortable ? (
        <button
          type="button"
          onClick={() => onSort(nextSort(sort, column))}
          className={cn(
            'inline-flex min-h-11 items-center whitespace-nowrap gap-1.5 hover:text-ink',
            direction !== 'none' && 'text-ink',
          )}
        >
          {column.header}
          <Icon className="size-4 flex-none" />
        </button>
      ) : column.isNumber ? (
        // Named by staff, as those of pack types are: as long as they like.
        <span className="ms-auto line-clamp-3 w-fit max-w-24 break-words">{column.header}</span>
      ) : (
        column.header
      )}
    </th>
  )
}

const steps: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index) => index + 1,
  j: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  k: (index) => index - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** The keys of a row that has the focus itself; those of the controls within stay theirs. */
function useRowKeys<Row>(props: DataRowsProps<Row>, goTo: (index: number) => void) {
  const { rows, selection, onOpen } = props
  return (event: KeyboardEvent<HTMLElement>, index: number) => {
    const row = rows[index]
    if (event.target !== event.currentTarget || row === undefined) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = steps[event.key]
    if (step) goTo(Math.min(Math.max(step(index, rows.length), 0), rows.length - 1))
    else if ((event.key === ' ' || event.key === 'x') && selection) selection.toggle(row)
    else if (event.key === 'Enter' && onOpen) onOpen(row)
    else if (event.key === 'Escape' && selection) selection.clear()
    else return
    event.preventDefault()
  }
}

/** A press on a row beside its controls; one that marks text is none. */
function isPlainPress({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  const control = (target as Element).closest('a, button, input, label, select, textarea')
  const isOwn = control === null || !currentTarget.contains(control)
  return isOwn && currentTarget.contains(target as Node) && !window.getSelection()?.toString()
}

export function DataGrid<Row>(props: DataRowsProps<Row>) {
  const { label, columns, rows, rowId, rowName, sort, onSort, selection, onOpen, lineOf } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const [activeId, setActiveId] = useState<RowId>()
  const hasActive = rows.some((row) => rowId(row) === activeId)
  const goTo = (index: number) => {
    const row = rows[index]
    if (row === undefined) return
    setActiveId(rowId(row))
    body.current?.rows[index]?.focus()
  }
  const onKeyDown = useRowKeys(props, goTo)
  return (
    // A region that scrolls sideways has to be reachable by keys; its rows are.
    <section
      aria-label={`${label}, scrolls sideways`}
      className="scroll-px-48 overflow-x-auto rounded-card"
    >
      <table className="w-full border-separate border-spacing-0 text-sm">
        <caption className="sr-only">
          {label}. Arrow keys move between rows
          {selection && ', Space selects'}
          {onOpen && ', Enter opens'}.
        </caption>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className="w-11 border-b border-line ps-1">
                <SelectAllBox {...{ rows, selection }} />
              </th>
            )}
            {columns.map((column, place) => (
              <HeaderCell key={column.id} {...{ column, sort, onSort }} isFirst={place === 0} />
            ))}
          </tr>
        </thead>
        <tbody ref={body} className={lowRows}>
          {rows.map((row, index) => {
            const isActive = hasActive ? rowId(row) === activeId : index === 0
            return (
              <tr
                key={rowId(row)}
                tabIndex={isActive ? 0 : -1}
                onFocus={() => setActiveId(rowId(row))}
                onKeyDown={(event) => onKeyDown(event, index)}
                onClick={onOpen && ((event) => isPlainPress(event) && onOpen(row))}
                className={cn(
                  '*:border-b *:border-line -outline-offset-2 last:*:border-b-0 hover:bg-raised',
                  selection?.has(row) ? 'bg-raised' : 'bg-surface',
                  onOpen && 'cursor-pointer',
                )}
              >
                {selection && (
                  <td className="w-11 ps-1">
                    <SelectionBox
                      label={`Select ${rowName(row)}`}
                      isTicked={selection.has(row)}
                      disabled={!selection.canSelect(row)}
                      onChange={() => selection.toggle(row)}
                    />
                  </td>
                )}
                {columns.map((column, place) => (
                  <Cell
                    key={column.id}
                    {...{ column, row }}
                    isFirst={place === 0}
                    line={lineOf(row)}
                  />
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function SelectAllBox<Row>({
  rows,
  selection,
}: {
  readonly rows: readonly Row[]
  readonly selection: Selection<Row>
}) {
  const selectable = rows.filter(selection.canSelect)
  const isAll = selectable.length > 0 && selectable.every(selection.has)
  return (
    <SelectionBox
      label="Select all on this page"
      isTicked={isAll}
      isMixed={selectable.some(selection.has)}
      disabled={selectable.length === 0}
      onChange={() => selection.setAll(selectable, !isAll)}
    />
  )
}

/** What can be done with a row stays in sight when the table is wider than its window. */
const atEnd = 'pinned-end last:sticky last:end-0 last:z-1'

export interface CellProps<Row> {
  readonly column: DataColumn<Row>
  readonly row: Row
  readonly isFirst: boolean
  readonly line: ReactNode
}

/** The first cell heads its row and stays in sight, and so does the last one that acts. */
function Cell<Row>({ column, row, isFirst, line }: CellProps<Row>) {
  const look = cn(
    'h-10 px-2.5 py-0.5',
    column.isNumber ? 'text-end tabular-nums' : 'text-start',
    column.takesRest && 'w-full max-w-0 min-w-40',
    isFirst && 'pinned-start sticky start-0 z-1 bg-inherit font-normal',
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

/** Whether the window is too narrow for tables. */
export const useNarrow = (): boolean => useMedia('(width < 45rem)')

export function DataCards<Row>({
  label,
  columns,
  rows,
  rowId,
  rowName,
  sort,
  onSort,
  selection,
  lineOf,
  canSort,
}: DataRowsProps<Row> & { readonly canSort: boolean }) {
  const [title, ...others] = columns
  const orders = columns
    .filter(({ isSortable }) => isSortable)
    .flatMap(({ id, header }) => [
      { value: id, label: `${header}, ascending` },
      { value: `-${id}`, label: `${header}, descending` },
    ])
  return (
    <>
      {canSort && orders.length > 0 && (
        <SelectField
          label="Sort by"
          choices={orders}
          {...entered(sort, onSort)}
          fieldClassName="mb-4"
        />
      )}
      {selection && rows.length > 0 && (
        <div className="mb-2 flex items-center gap-1">
          <SelectAllBox {...{ rows, selection }} />
          <span aria-hidden="true">Select all on this page</span>
        </div>
      )}
      <ul aria-label={label} className="grid list-none grid-cols-1 gap-3 p-0">
        {rows.map((row) => (
          <li key={rowId(row)} className="card on-card p-3">
            <KeptPlace line={lineOf(row)}>
              <div className="flex items-center gap-2 border-b border-line pb-2">
                {selection && (
                  <SelectionBox
                    label={`Select ${rowName(row)}`}
                    isTicked={selection.has(row)}
                    disabled={!selection.canSelect(row)}
                    onChange={() => selection.toggle(row)}
                  />
                )}
                <div className="min-w-0 flex-1">{title?.cell(row)}</div>
              </div>
              <dl className="mt-2 grid grid-cols-[fit-content(50%)_minmax(0,1fr)] items-center gap-x-4 gap-y-1">
                {others.map(({ id, header, cell }) => {
                  const content = cell(row)
                  return content === false || content === null ? null : (
                    <div key={id} className="col-span-2 grid grid-cols-subgrid items-center">
                      <dt className="min-w-24 wrap-anywhere text-sm text-muted">{header}</dt>
                      <dd className="min-w-0 text-end [&>*]:ms-auto">{content}</dd>
                    </div>
                  )
                })}
              </dl>
            </KeptPlace>
          </li>
        ))}
      </ul>
    </>
  )
}
