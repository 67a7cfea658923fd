// The rows of a table as labelled cards, where a table would not fit.

import { useSyncExternalStore } from 'react'
import type { DataRowsProps } from './data-table-grid.tsx'
import { SelectAllBox } from './data-table-grid.tsx'
import { SelectionBox } from './data-table-selection.tsx'
import { KeptPlace } from './deleted-line.tsx'
import { SelectField } from './select-field.tsx'

const narrowQuery = '(width < 45rem)'

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(narrowQuery)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the window is too narrow for tables. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(narrowQuery).matches)
}

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
}: DataRowsProps<Row>) {
  const [title, ...others] = columns
  const orders = columns
    .filter(({ isSortable }) => isSortable)
    .flatMap(({ id, header }) => [
      { value: id, label: `${header}, ascending` },
      { value: `-${id}`, label: `${header}, descending` },
    ])
  return (
    <>
      {orders.length > 0 && (
        <SelectField
          label="Sort by"
          choices={orders}
          value={sort}
          onChange={(event) => onSort(event.target.value)}
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
                {others.map(({ id, header, cell }) => (
                  <div key={id} className="col-span-2 grid grid-cols-subgrid items-center">
                    <dt className="min-w-24 wrap-anywhere text-sm text-muted">{header}</dt>
                    <dd className="min-w-0 text-end [&>*]:ms-auto">{cell(row)}</dd>
                  </div>
                ))}
              </dl>
            </KeptPlace>
          </li>
        ))}
      </ul>
    </>
  )
}
