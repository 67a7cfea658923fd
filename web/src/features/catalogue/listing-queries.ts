// What the Store tab asks the server: every listing, and what staff do to them.

import { type AdminListing, adminStoreContract, type SortListingsRequest } from '@redpack/contract'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { newIdempotencyKey, useAct } from '../../lib/use-call.ts'

/** Every listing, inactive ones included. */
export const listingsQuery = endpointQuery(adminStoreContract.list, {
  shows: ['catalogue', 'listings', 'pack_types'],
  empty: [],
})

type ListingPatch = Pick<AdminListing, 'id'> & Partial<Pick<AdminListing, 'isActive' | 'sortOrder'>>

/** Shows changes before the server has answered; the answer to the next list call is the truth. */
async function showAtOnce(
  queryClient: QueryClient,
  patches: readonly ListingPatch[],
): Promise<AdminListing[] | undefined> {
  const { queryKey } = listingsQuery
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueryData<AdminListing[]>(queryKey)
  const patchOf = new Map(patches.map((patch) => [patch.id, patch]))
  queryClient.setQueryData<AdminListing[]>(queryKey, (listings) =>
    listings?.map((listing) => ({ ...listing, ...patchOf.get(listing.id) })),
  )
  return before
}

/** Puts a small change through: shown at once, and taken back when it fails. */
function useListingPatches<Input>(
  patchesOf: (input: Input) => readonly ListingPatch[],
  send: (input: Input) => Promise<unknown>,
) {
  const queryClient = useQueryClient()
  return useAct({
    mutationFn: send,
    onMutate: (input) => showAtOnce(queryClient, patchesOf(input)),
    onError: (_error, _input, before) => {
      queryClient.setQueryData(listingsQuery.queryKey, before)
    },
  })
}

/** On or off sale; sends only `isActive`. */
export function useToggleListing() {
  return useListingPatches(
    (patch: { readonly id: number; readonly isActive: boolean }) => [patch],
    ({ id, isActive }) => {
      const idempotencyKey = newIdempotencyKey()
      return call(adminStoreContract.update, { params: { id }, body: { isActive }, idempotencyKey })
    },
  )
}

export type ListingPlaces = SortListingsRequest['orders']

/** Puts listings at their new places with one call. */
export function useSortListings() {
  return useListingPatches(
    (orders: ListingPlaces) => orders,
    (orders) => call(adminStoreContract.sort, { body: { orders } }),
  )
}
