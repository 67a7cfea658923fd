// The cache of server state, with the defaults that every query starts from.

import { focusManager, QueryClient, type QueryFunctionContext } from '@tanstack/react-query'
import { load } from './api.ts'

/** Loads what a key names: its first element is the address (000 section 7). */
function loadByKey({ queryKey, signal }: QueryFunctionContext): Promise<unknown> {
  return load(String(queryKey[0]), signal)
}

/** Tabs that come to the front and windows that get the focus both count as focus. */
function listenForFocus(onFocus: () => void): () => void {
  const listen = () => onFocus()
  const events = ['visibilitychange', 'focus']
  for (const event of events) window.addEventListener(event, listen)
  return () => {
    for (const event of events) window.removeEventListener(event, listen)
  }
}

/**
 * No retry, stale at once, no refetch on focus, no polling; a query that differs says so itself.
 */
export function createQueryClient(): QueryClient {
  focusManager.setEventListener(listenForFocus)
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: loadByKey,
        retry: false,
        staleTime: 0,
        refetchOnWindowFocus: false,
        refetchInterval: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
