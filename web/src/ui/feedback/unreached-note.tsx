// Says how old what is on screen is, when asking for it again fails.

import { type Query, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { formatTime } from '../../lib/format.ts'
import { Notice } from './notice.tsx'

/** Stays below the bar while the page is scrolled. */
export function UnreachedNote() {
  const since = useUnreachedSince()
  return (
    <div role="status" className="sticky top-18 z-2">
      {since !== undefined && (
        <Notice tone="warning" className="mb-4">
          Last updated at {formatTime(since)}. Reconnecting...
        </Notice>
      )}
    </div>
  )
}

/** A single failure between two polls is nothing to speak of, in milliseconds. */
export const unreachedAfterMs = 5_000

function isPolled(query: Query): boolean {
  return query.observers.some(({ options }) => {
    const { refetchInterval } = options
    return options.enabled !== false && Boolean(refetchInterval)
  })
}

/** When the oldest polled answer on screen came whose polls have failed since; else undefined. */
function useUnreachedSince(): number | undefined {
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
