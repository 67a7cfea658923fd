// What the Prize Claims tab asks the server: claims page by page, and what staff do to them.

import {
  type AdminClaimsPage,
  adminClaimsContract,
  type claimStatusFilters,
} from '@redpack/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { call, urlOf } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { emptyPage, endpointQuery, useEndpoint } from '../../lib/endpoint-query.ts'
import { useIsStaff } from '../session/queries.ts'

/** How often an open list asks again while it is seen, in milliseconds. */
export const claimsPollMs = 5_000
export const claimsPageSize = 50

export type ClaimFilter = (typeof claimStatusFilters)[number]

export interface ClaimsQuery {
  readonly search: string
  readonly status: ClaimFilter
  /** A column of the contract's sorts; anything else is taken as the usual one. */
  readonly sort: string
  readonly page: number
}

/** One page of the claims that match. */
export function useAdminClaims(query: ClaimsQuery) {
  return useEndpoint(adminClaimsContract.list, {
    shows: ['claims'],
    key: [query],
    empty: { claims: [], searchMode: true, ...emptyPage, claimsTotal: 0 },
    ask: async (signal) => {
      const answer = await call(adminClaimsContract.list, {
        query: { ...query, limit: claimsPageSize, contact: 'without' },
        signal,
      })
      // Asked with a page, the answer is a page; the bare list is for who asks for nothing.
      return answer as AdminClaimsPage
    },
    placeholderData: keepPreviousData,
    // No socket tells staff of what players win.
    refetchInterval: claimsPollMs,
    enabled: useIsStaff(),
  })
}

/** A claim, by its number or its Claim ID, as whoever ships it needs it. */
export const readingQuery = (id: number | string) => ({
  ...endpointQuery(adminClaimsContract.read, { shows: ['claims'], options: { params: { id } } }),
  // An address does not stay in the page longer than it is needed.
  gcTime: 0,
})

/** Address of the claims that match as a file, with or without delivery details. */
export function claimsFile(
  { search, status }: Pick<ClaimsQuery, 'search' | 'status'>,
  contact: 'with' | 'without',
): string {
  const query = { search: search || undefined, status, contact }
  return urlOf(adminClaimsContract.file.path, {}, query)
}

type ClaimRemoval = typeof adminClaimsContract.remove

/** Asks without the layer of typed calls; a claim that is gone already counts as deleted. */
async function deleteDirectly(id: number, { method, path }: ClaimRemoval): Promise<void> {
  const response = await fetch(urlOf(path, { id }), { method, credentials: 'same-origin' })
  if (response.ok || response.status === 404) return
  throw new ApiError(response.status, response.statusText, await response.text())
}

/** Asks a second time directly when the first request fails; `removal` is the call by any name. */
export async function deleteClaim(
  id: number,
  removal: ClaimRemoval = adminClaimsContract.remove,
): Promise<void> {
  try {
    await call(removal, { params: { id } })
  } catch {
    await deleteDirectly(id, removal)
  }
}
