// What the Store tab asks the server: every listing, and what staff do to them.

import { type AdminListing, adminStoreContract, type SortListingsRequest } from '@redpack/contract'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { newIdempotencyKey, usePatches } from '../../lib/use-call.ts'

/** Every listing, inactive ones included. */
export const listingsQuery = endpointQuery(adminStoreContract.list, {
  shows: ['catalogue', 'listings', 'pack_types'],
  empty: [],
})

/** On or off sale; sends only `isActive`. */
export function useToggleListing() {
  return usePatches(
    listingsQuery.queryKey,
    (patch: Pick<AdminListing, 'id' | 'isActive'>) => [patch],
    ({ id, isActive }) => {
      const idempotencyKey = newIdempotencyKey()
      return call(adminStoreContract.update, { params: { id }, body: { isActive }, idempotencyKey })
    },
  )
}

export type ListingPlaces = SortListingsRequest['orders']

/** Puts listings at their new places with one call. */
export function useSortListings() {
  return usePatches(
    listingsQuery.queryKey,
    (orders: ListingPlaces) => orders,
    (orders) => call(adminStoreContract.sort, { body: { orders } }),
  )
}
