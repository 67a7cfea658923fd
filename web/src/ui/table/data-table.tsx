// A list of the panel: found, filtered, sorted and paged by the address; calm while it is polled.

import { Download, RefreshCw } from 'lucide-react'
import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import { changedTopics } from '../../lib/changed-topics.ts'
import { formatNumber } from '../../lib/format.ts'
import { saveFile } from '../../lib/save-file.ts'
import { announce } from '../feedback/live-region.tsx'
import { LoadError, Loading, Skeleton, SlowNote } from '../feedback/state.tsx'
import { Button, buttonLook, DownloadButton } from '../form/button.tsx'
import { RefreshingDot } from '../layout/section.tsx'
import { Menu } from '../overlay/menu.tsx'
import { type ColumnChoice, ColumnChooser, type DataColumn, useColumnChoice } from './columns.tsx'
import { csvText, saveCsv } from './csv.ts'
import { DataCards, DataGrid, type DataRowsProps, useNarrow } from './data-rows.tsx'
import type { DeletedRows } from './deleted-rows.tsx'
import { useFrozenRows } from './frozen-rows.ts'
import { Pagination, useLastPage } from './pagination.tsx'
import { BulkBar, type Untick, useSelection } from './selection.tsx'
import { FiltersButton, type SearchWords, TableSearch } from './table-search.tsx'
import type { ChangeTableView, TableView } from './table-view.ts'

export interface CsvFile {
  readonly label: string
  readonly address: string
}

export interface DataTableProps<Row> extends Pick<DataRowsProps<Row>, 'rowId' | 'rowName'> {
  /**
   * What is listed, for example 'Users'. The choice of columns is kept under it, and the exported
   * file has its name.
   */
  readonly label: string
  /** Must stay the same object as long as nothing about the columns changes. */
  readonly columns: readonly DataColumn<Row>[]
  /** Undefined until the first answer. */
  readonly rows: readonly Row[] | undefined
  readonly view: TableView
  readonly onViewChange: ChangeTableView
  readonly paging: Paging
  /** True while the rows are those of the view before. */
  readonly isStale?: boolean
  readonly error?: Error | null
  readonly errorTitle: string
  readonly onRetry: () => void
  /** Stands in place of the rows when there are none. */
  readonly empty: ReactNode
  /** Words of the search box; absent when the caller brings its own or none. */
  readonly search?: SearchWords
  /** Filters and buttons beside the search. */
  readonly tools?: ReactNode
  /** The line about how many rows are shown. */
  readonly countLine?: (shown: number, total: number) => string
  /** How many hits the search or filter has at most; absent where all are counted. */
  readonly hitsMax?: number | false
  /** How many rows a file of the server has at most. */
  readonly fileRowsMax?: number
  /** Enter or a press on a row. The same must be reachable by a control in the row. */
  readonly onOpen?: (row: Row) => void
  /** What can be done to ticked rows; its presence makes rows tickable. */
  readonly bulk?: (rows: readonly Row[], untick: Untick<Row>) => ReactNode
  readonly canSelect?: (row: Row) => boolean
  /**
   * Address of the server's export, or a choice of them; true exports what the browser has; absent
   * hides the button.
   */
  readonly csv?: string | true | readonly CsvFile[]
  /** False for rows that change with the person's own actions alone, which are shown at once. */
  readonly isPolled?: boolean
  /** Rows that keep their places although they were deleted; `rows` are the rows of these. */
  readonly deleted?: DeletedRows<Row>
}

const everyRow = () => true
const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f']

function usualCount(shown: number, total: number): string {
  return `Showing ${formatNumber(shown)} of ${formatNumber(total)}`
}

/** Whether a mouse or the focus is in the part of the page that carries the handlers. */
function useHold() {
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  return {
    isHeld: isPointed || isFocused,
    handlers: {
      onPointerEnter: (event: PointerEvent) => setPointed(event.pointerType !== 'touch'),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: (event: FocusEvent) =>
        setFocused(event.currentTarget.contains(event.relatedTarget as Node | null)),
    },
  }
}

/** Grows with each act of the person's own, whose effect is shown at once. */
function useOwnActs(): number {
  const [acts, count] = useReducer((before: number) => before + 1, 0)
  useEffect(() => changedTopics.subscribe((_, source) => source === 'call' && count()), [])
  return acts
}

/** Says the count once what the person looks for is there: no poll speaks by itself. */
function useSaidCount(shown: string | undefined, count: string): void {
  const said = useRef(shown)
  useEffect(() => {
    if (shown === undefined || shown === said.current) return
    if (said.current !== undefined) announce(count)
    said.current = shown
  })
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rowId, rowName, view, onViewChange, paging } = props
  const { isStale = false, error, bulk, canSelect = everyRow, csv } = props
  const { isPolled = true, deleted, onOpen } = props
  const lineOf = (row: Row) => deleted?.lineOf(row)
  const lines = deleted && paging.by === 'browser' ? deleted.lines : 0
  const isNarrow = useNarrow()
  const [isFolded, setFolded] = useState(view.search === '' && view.filtersSet === 0)
  const isWhole = !isNarrow || !isFolded
  const name = label.toLowerCase().replaceAll(' ', '-')
  const choice = useColumnChoice(name, columns)
  const model = useTableModel({ columns, rows: props.rows, view, paging, choice })
  const { isHeld, handlers } = useHold()
  const key = JSON.stringify([view, useOwnActs(), deleted?.lines])
  const canWait = isPolled && !isStale && model.rows.length > 0
  const calm = useFrozenRows(model.rows, rowId, isHeld && canWait, key)
  const found = isStale ? undefined : JSON.stringify([view.search, view.filters])
  const selection = useSelection(calm.rows, rowId, (row) => !lineOf(row) && canSelect(row), found)
  const isLoading = props.rows === undefined && !error
  const isEmpty = props.rows !== undefined && calm.rows.length === 0
  // A page where deleted rows still keep their places is left once these are gone.
  const pages = isEmpty && !isStale ? model.totalPages : 0
  useLastPage(view.page, pages, (page) => onViewChange({ page }, true))
  const shared = {
    ...{ label, rowId, rowName, columns: model.columns, rows: calm.rows },
    sort: view.sort,
    onSort: (sort: string) => onViewChange({ sort }),
    selection: bulk && selection,
    onOpen: onOpen && ((row: Row) => (lineOf(row) ? undefined : onOpen(row))),
    lineOf,
  }
  const elsewhere = selection.rows.filter(
    (row) => !calm.rows.some((shown) => rowId(shown) === rowId(row)),
  )
  const held = useRef<HTMLDivElement>(null)
  const apply = () => {
    calm.apply()
    held.current?.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus()
  }
  const { countLine = usualCount, hitsMax = false, fileRowsMax = Infinity } = props
  const count = props.rows ? countLine(calm.rows.length - lines, model.total - lines) : ''
  useSaidCount(props.rows && found && `${found} ${view.page}`, count)
  const tools = (
    <div className="mb-3 flex flex-wrap items-end gap-3">
      {props.search && (
        <TableSearch
          {...props.search}
          value={view.search}
          onChange={(search) => onViewChange({ search }, true)}
        />
      )}
      {props.tools}
    </div>
  )
  return (
    <div>
      {!isNarrow && tools}
      <div {...handlers} ref={held}>
        <div className="mb-3 flex min-h-11 flex-wrap items-center gap-2 text-muted">
          <p>
            {count}
            {props.rows && hitsMax !== false && model.total >= hitsMax && (
              <>. A search finds at most {formatNumber(model.total)}: narrow it to find others</>
            )}
            {model.total > fileRowsMax && (
              <>. An export has at most {formatNumber(fileRowsMax)} rows</>
            )}
          </p>
          <RefreshingDot isShown={isStale} />
          {calm.waiting > 0 && <WaitingPill count={calm.waiting} onApply={apply} />}
          <div className="ms-auto flex flex-wrap gap-2">
            {isNarrow && (
              <FiltersButton count={view.filtersSet} isFolded={isFolded} onFold={setFolded} />
            )}
            {isWhole && <ColumnChooser columns={columns} choice={choice} />}
            {isWhole && csv !== undefined && (
              <CsvButton
                csv={csv}
                onSave={() => saveCsv(name, csvText(model.columns, model.matching))}
              />
            )}
          </div>
        </div>
        {isNarrow && isWhole && tools}
        {isLoading && <TableSkeleton what={label.toLowerCase()} />}
        {error && props.rows === undefined && (
          <div className="card on-card">
            <LoadError title={props.errorTitle} error={error} onRetry={props.onRetry} />
          </div>
        )}
        {isEmpty && <div className="card on-card">{props.empty}</div>}
        {props.rows !== undefined && !isEmpty && (
          <div aria-busy={isStale} className={isNarrow ? undefined : 'card on-card'}>
            {isNarrow ? <DataCards {...shared} canSort={isWhole} /> : <DataGrid {...shared} />}
          </div>
        )}
      </div>
      {bulk && (
        <BulkBar
          count={selection.rows.length}
          elsewhere={elsewhere.length}
          onClear={selection.clear}
        >
          {bulk(selection.rows, (rows) => selection.setAll(rows, false))}
        </BulkBar>
      )}
      <Pagination
        label={`${label} pages`}
        page={view.page}
        totalPages={model.totalPages}
        onPageChange={(page) => onViewChange({ page })}
      />
    </div>
  )
}

/** Newer rows are there; they are shown when the person says so. */
function WaitingPill({ count, onApply }: { readonly count: number; readonly onApply: () => void }) {
  return (
    <button
      type="button"
      onClick={onApply}
      className="inline-flex min-h-8 items-center gap-1.5 rounded-full border border-secondary-graphic px-3 text-sm font-semibold text-secondary-text hover:bg-raised"
    >
      <RefreshCw className="size-4" />
      Updated: show {formatNumber(count)} {count === 1 ? 'change' : 'changes'}
    </button>
  )
}

interface CsvButtonProps {
  readonly csv: string | true | readonly CsvFile[]
  readonly onSave: () => void
}

function CsvButton({ csv, onSave }: CsvButtonProps) {
  if (csv === true) {
    return (
      <Button tone="secondary" icon={Download} onClick={onSave}>
        Export CSV
      </Button>
    )
  }
  if (typeof csv !== 'string') {
    const items = csv.map(({ label, address }) => ({ label, onSelect: () => saveFile(address) }))
    return (
      <Menu
        label="Export CSV"
        triggerClassName={buttonLook({ tone: 'secondary' })}
        trigger={
          <>
            <Download />
            Export CSV
          </>
        }
        groups={[items]}
      />
    )
  }
  return <DownloadButton href={csv}>Export CSV</DownloadButton>
}

function TableSkeleton({ what }: { readonly what: string }) {
  return (
    <Loading label={`Loading ${what}`} className="card on-card grid gap-px p-3">
      {skeletonRows.map((row) => (
        <Skeleton key={row} className="my-1.5 h-11 w-full" />
      ))}
      <SlowNote what={what} />
    </Loading>
  )
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** The rows that hold what is looked for in any of their values. */
function found<Row>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
  search: string,
): readonly Row[] {
  const needle = search.trim().toLowerCase()
  if (needle === '') return rows
  const isIn = (text: string | number) => String(text).toLowerCase().includes(needle)
  return rows.filter((row) => columns.some(({ value }) => value && isIn(value(row))))
}

/** In the order of a column, a minus sign in front for the highest first; else as they come. */
function sorted<Row>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
  sort: string,
): readonly Row[] {
  const id = sort.replace(/^-/, '')
  const value = columns.find((column) => column.id === id && column.isSortable)?.value
  if (!value) return rows
  const sign = sort === id ? 1 : -1
  return rows.toSorted((one, other) => {
    const [left, right] = [value(one), value(other)]
    const areNumbers = typeof left === 'number' && typeof right === 'number'
    return sign * (areNumbers ? left - right : collator.compare(String(left), String(right)))
  })
}

/** Where the pages of a list come from. */
export type Paging =
  | { readonly by: 'server'; readonly total: number; readonly totalPages: number }
  /** The browser has every row. */
  | { readonly by: 'browser'; readonly pageSize: number }

/** What a table is told of a query for one page of a list. */
export function pagedByServer(query: {
  readonly data: { readonly total: number; readonly totalPages: number } | undefined
  readonly isPlaceholderData: boolean
  readonly error: Error | null
  readonly refetch: () => Promise<unknown>
}) {
  const { total, totalPages } = query.data ?? { total: 0, totalPages: 0 }
  return {
    paging: { by: 'server', total, totalPages } as const,
    isStale: query.isPlaceholderData,
    error: query.error,
    onRetry: () => void query.refetch(),
  }
}

interface TableModelOptions<Row>
  extends Pick<DataTableProps<Row>, 'columns' | 'rows' | 'view' | 'paging'> {
  readonly choice: ColumnChoice
}

const noRows: readonly never[] = []

/** What of a list is shown where, for a view: `matching` is all that the browser has of it. */
function useTableModel<Row>(options: TableModelOptions<Row>) {
  const { columns, rows = noRows, view, paging, choice } = options
  const { search, sort } = view
  const isServer = paging.by === 'server'
  const matching = useMemo(
    () => (isServer ? rows : sorted(found(rows, columns, search), columns, sort)),
    [isServer, rows, columns, search, sort],
  )
  const pageSize = isServer ? rows.length : paging.pageSize
  const first = isServer ? 0 : (view.page - 1) * pageSize
  return {
    rows: matching.slice(first, first + pageSize),
    columns: columns.filter(
      ({ id, isFixed }, index) => index === 0 || isFixed || choice.isShown(id),
    ),
    total: isServer ? paging.total : matching.length,
    totalPages: isServer ? paging.totalPages : Math.ceil(matching.length / pageSize),
    matching,
  }
}
