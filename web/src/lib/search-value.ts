// One value of the page's address: a filter, an order, the record that is open.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

const nothing: readonly string[] = []

/**
 * The text under a name in the address, empty when there is none, and how to change it. What is
 * opened can be left by going back (`push`); what is only filtered cannot. What stands under
 * `parts`, which must stay the same object, belongs to the text and is forgotten with it.
 */
export function useSearchValue(
  name: string,
  history: 'push' | 'replace' = 'replace',
  parts = nothing,
): [value: string, change: (value: string) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const found = search[name]
  const value = typeof found === 'string' || typeof found === 'number' ? String(found) : ''
  const change = useCallback(
    (next: string) => {
      navigate({
        to: '.',
        search: (before: Record<string, unknown>) => ({
          ...before,
          ...Object.fromEntries(parts.map((part) => [part, undefined])),
          [name]: next || undefined,
        }),
        replace: history === 'replace' || next === '',
        resetScroll: false,
      }).catch(() => undefined)
    },
    [navigate, name, history, parts],
  )
  return [value, change]
}

/** A whole number from 1 on; 1 for anything else. Routes have read it from the address already. */
export function pageNumberOf(page: unknown): number {
  return Number.isSafeInteger(page) ? Math.max(1, Number(page)) : 1
}
