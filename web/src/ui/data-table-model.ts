// The engine behind a table: sorting, finding and paging here, or only their state when the server
// does it.

import {
  columnFilteringFeature,
  columnVisibilityFeature,
  createFilteredRowModel,
  createPaginatedRowModel,
  createSortedRowModel,
  globalFilteringFeature,
  type Row as ModelRow,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import type { ColumnChoice, DataColumn } from './data-table-columns.tsx'
import type { TableView } from './data-table-view.ts'

const features = tableFeatures({
  columnFilteringFeature,
  columnVisibilityFeature,
  globalFilteringFeature,
  rowPaginationFeature,
  rowSortingFeature,
  filteredRowModel: createFilteredRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
  sortedRowModel: createSortedRowModel(),
})

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
const noRows: readonly never[] = []

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return collator.compare(String(left), String(right))
}

function holds<Row extends object>(
  row: ModelRow<typeof features, Row>,
  columnId: string,
  needle: unknown,
): boolean {
  const found = String(row.getValue(columnId)).toLocaleLowerCase()
  return found.includes(String(needle).trim().toLocaleLowerCase())
}

/** Where the pages of a list come from. */
export type Paging =
  | { readonly by: 'server'; readonly total: number; readonly totalPages: number }
  /** The browser has every row; without a size all of them stand on one page. */
  | { readonly by: 'browser'; readonly pageSize?: number }

export interface TableModel<Row> {
  readonly rows: readonly Row[]
  readonly columns: readonly DataColumn<Row>[]
  /** How many rows match, on all pages together. */
  readonly total: number
  readonly totalPages: number
  /** Every row that matches and is in the browser, in order. */
  readonly matching: () => readonly Row[]
}

export interface TableModelOptions<Row> {
  readonly columns: readonly DataColumn<Row>[]
  readonly rows: readonly Row[] | undefined
  readonly view: TableView
  readonly paging: Paging
  readonly choice: ColumnChoice
}

/** What of a list is shown where, for a view. */
export function useTableModel<Row extends object>({
  columns,
  rows = noRows,
  view,
  paging,
  choice,
}: TableModelOptions<Row>): TableModel<Row> {
  const definitions = useMemo(
    () =>
      columns.map(({ id, value, isSortable = false }) => ({
        id,
        accessorFn: (row: Row) => value?.(row) ?? '',
        enableSorting: isSortable,
        sortFn: (
          left: ModelRow<typeof features, Row>,
          right: ModelRow<typeof features, Row>,
          columnId: string,
        ) => compare(left.getValue(columnId), right.getValue(columnId)),
      })),
    [columns],
  )
  const searchable = new Set(columns.flatMap(({ id, value }) => (value ? [id] : [])))
  const isServer = paging.by === 'server'
  const pageSize = (paging.by === 'browser' && paging.pageSize) || Math.max(1, rows.length)
  const sortId = view.sort.replace(/^-/, '')
  const isKnown = columns.some(({ id, isSortable }) => id === sortId && isSortable)
  const table = useTable({
    features,
    columns: definitions,
    data: rows as Row[],
    manualFiltering: isServer,
    manualPagination: isServer,
    manualSorting: isServer,
    globalFilterFn: holds,
    getColumnCanGlobalFilter: (column) => searchable.has(column.id),
    autoResetPageIndex: false,
    state: {
      globalFilter: view.search,
      sorting: isKnown ? [{ id: sortId, desc: view.sort.startsWith('-') }] : [],
      pagination: { pageIndex: isServer ? 0 : view.page - 1, pageSize },
      columnVisibility: Object.fromEntries(
        columns.map(({ id, isFixed }, index) => [id, index === 0 || isFixed || choice.isShown(id)]),
      ),
    },
  })
  const shown = new Set(table.getVisibleLeafColumns().map(({ id }) => id))
  return {
    rows: table.getRowModel().rows.map(({ original }) => original),
    columns: columns.filter(({ id }) => shown.has(id)),
    total: isServer ? paging.total : table.getFilteredRowModel().rows.length,
    totalPages: isServer ? paging.totalPages : table.getPageCount(),
    matching: () => table.getSortedRowModel().rows.map(({ original }) => original),
  }
}
