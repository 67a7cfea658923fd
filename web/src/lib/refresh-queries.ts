// Asks again for everything that stands under the given addresses.

import type { QueryClient } from '@tanstack/react-query'

/** Marks the queries whose key starts with one of the paths as stale; those on screen load. */
export function refreshQueries(queryClient: QueryClient, paths: readonly string[]): void {
  for (const path of paths) {
    queryClient.invalidateQueries({ queryKey: [path] }).catch(() => undefined)
  }
}
