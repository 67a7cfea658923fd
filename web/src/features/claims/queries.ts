// What the claims feature asks the server: the player's own prizes, page by page.

import { type ClaimsQuery, claimsContract, claimsPageDefault } from '@redpack/contract'
import { call } from '../../lib/api.ts'
import { emptyPagination, useEndpoint } from '../../lib/endpoint-query.ts'

export type ClaimFilter = ClaimsQuery['filter']

/** How often a failed page is asked for again. */
export const claimsRetries = 3
export const claimsFailure = 'Failed to fetch prize claims'

/** Pause before the first, second and third retry, in milliseconds. */
export function claimsRetryPauseMs(failures: number): number {
  return 300 * 2 ** failures
}

/** One page of claims. The error of a refused call carries the server's answer as its cause. */
async function fetchClaims(filter: ClaimFilter, page: number, signal: AbortSignal) {
  try {
    const query = { page, limit: claimsPageDefault, filter }
    return await call(claimsContract.list, { query, signal })
  } catch (cause) {
    throw new Error(claimsFailure, { cause })
  }
}

/** The page before stays until the next has come, but never under another filter. */
export function useClaims(filter: ClaimFilter, page: number) {
  return useEndpoint(claimsContract.list, {
    shows: ['user', 'claims'],
    key: [filter, page],
    ask: (signal) => fetchClaims(filter, page, signal),
    empty: { claims: [], pagination: emptyPagination },
    retry: claimsRetries,
    retryDelay: claimsRetryPauseMs,
    placeholderData: (previous, query) => (query?.queryKey[1] === filter ? previous : undefined),
  })
}
