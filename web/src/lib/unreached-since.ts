// Since when what is on screen has not been reached again, although it is asked for all the time.

import { type Query, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'

/** A single failure between two polls is nothing to speak of, in milliseconds. */
export const unreachedAfterMs = 5_000

function isPolled(query: Query): boolean {
  return query.observers.some(({ options }) => {
    const { refetchInterval } = options
    return options.enabled !== false && Boolean(refetchInterval)
  })
}

/** When the oldest polled answer on screen came whose polls have failed since; else undefined. */
export function useUnreachedSince(): number | undefined {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache])
  return useSyncExternalStore(subscribe, () => {
    const answeredAt = cache
      .findAll({ type: 'active', predicate: isPolled })
      .filter(({ state: { status, dataUpdatedAt } }) => status === 'error' && dataUpdatedAt > 0)
      .map(({ state }) => state.dataUpdatedAt)
    const oldest = Math.min(...answeredAt)
    return Date.now() - oldest >= unreachedAfterMs ? oldest : undefined
  })
}
