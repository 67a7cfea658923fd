// Asks again for what endpoints answer.

import type { EndpointShape } from '@redpack/contract'
import type { QueryClient } from '@tanstack/react-query'

/** Marks what the endpoints have answered as stale, under every path; what is on screen loads. */
export function refreshQueries(
  queryClient: QueryClient,
  endpoints: readonly Pick<EndpointShape, 'path' | 'aliases'>[],
): void {
  for (const { path, aliases = [] } of endpoints) {
    for (const each of [path, ...aliases.map((alias) => alias.path)]) {
      queryClient.invalidateQueries({ queryKey: [each] }).catch(() => undefined)
    }
  }
}
