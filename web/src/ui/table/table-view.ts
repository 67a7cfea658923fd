// What part of a list is shown, kept in the address: a reload, a link and the way back restore it.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

export interface TableView {
  /** What is looked for; empty for everything. */
  readonly search: string
  /** Id of the column to sort by, with a minus sign in front for the highest first, or empty. */
  readonly sort: string
  /** Counted from 1. */
  readonly page: number
  /** Chosen value of each filter, by its name in the address. */
  readonly filters: Readonly<Record<string, string>>
  /** How many filters have another value than the one that goes without saying. */
  readonly filtersSet: number
}

export interface TableViewDefaults {
  readonly sort?: string
  /** Every filter of the list with the value that goes without saying. */
  readonly filters?: Readonly<Record<string, string>>
}

/** What changes; anything but a new page leads back to the first one. */
export type TableViewChange = Partial<Omit<TableView, 'filtersSet'>>

export type ChangeTableView = (change: TableViewChange, isCorrection?: boolean) => void

function textIn(search: Readonly<Record<string, unknown>>, name: string, fallback: string): string {
  const value = search[name]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : fallback
}

/** The view that an address describes; whatever it does not say, or says badly, is the default. */
export function viewOf(
  search: Readonly<Record<string, unknown>>,
  { sort = '', filters = {} }: TableViewDefaults,
): TableView {
  const page = Number(search.page)
  const chosen = Object.entries(filters).map(
    ([name, value]) => [name, textIn(search, name, value)] as const,
  )
  return {
    search: textIn(search, 'q', ''),
    sort: textIn(search, 'sort', sort),
    page: Number.isSafeInteger(page) && page > 1 ? page : 1,
    filters: Object.fromEntries(chosen),
    filtersSet: chosen.filter(([name, value]) => value !== filters[name]).length,
  }
}

/** The words of the address for a view; what goes without saying is left out. */
export function addressOf(
  view: TableView,
  { sort = '', filters = {} }: TableViewDefaults,
): Record<string, string | number | undefined> {
  const chosen = Object.entries(view.filters).map(([name, value]) => [
    name,
    value === filters[name] ? undefined : value,
  ])
  return {
    ...Object.fromEntries(chosen),
    q: view.search === '' ? undefined : view.search,
    sort: view.sort === sort ? undefined : view.sort,
    page: view.page === 1 ? undefined : view.page,
  }
}

/**
 * The view in the address, and the way to change it. `defaults` must stay the same object.
 * `isCorrection` leaves no step in the browser's history.
 */
export function useTableView(defaults: TableViewDefaults): [TableView, ChangeTableView] {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const view = useMemo(() => viewOf(search, defaults), [search, defaults])
  const change = useCallback<ChangeTableView>(
    (next, isCorrection = false) => {
      void navigate({
        to: '.',
        search: (previous: Record<string, unknown>) => {
          const before = viewOf(previous, defaults)
          const after = {
            ...before,
            page: 1,
            ...next,
            filters: { ...before.filters, ...next.filters },
          }
          return { ...previous, ...addressOf(after, defaults) }
        },
        replace: isCorrection,
        resetScroll: false,
      })
    },
    [navigate, defaults],
  )
  return [view, change]
}
