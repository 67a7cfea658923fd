// What the Store tab asks the server: every listing, and what staff do to them.

import {
  type AdminListing,
  adminStoreContract,
  type CreateListingRequest,
  type UpdateListingRequest,
} from '@redpack/contract'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { newIdempotencyKey } from '../../lib/idempotency-key.ts'
import { createRequestIntent, type RequestIntent } from '../../lib/request-intent.ts'
import { isOutcomeUnknown } from '../packs/queries.ts'

const listingsQuery = endpointQuery(adminStoreContract.list, { shows: ['catalogue'], empty: [] })

/** Every listing, inactive ones included. */
export function useAdminListings() {
  return useQuery<AdminListing[]>(listingsQuery)
}

/** A write under a key of its own; one that was never answered is sent again under the same. */
function useListingWrite<Input>(send: (input: Input, key: string) => Promise<AdminListing>) {
  const [intent] = useState<RequestIntent<Input>>(createRequestIntent)
  return useMutation({
    mutationFn: (input: Input) => send(input, intent.keyOf(input)),
    onSuccess: () => intent.settle(),
    onError: (error) => {
      if (!isOutcomeUnknown(error)) intent.settle()
    },
  })
}

export function useCreateListing() {
  return useListingWrite((body: CreateListingRequest, idempotencyKey) =>
    call(adminStoreContract.create, { body, idempotencyKey }),
  )
}

interface ListingChange {
  readonly id: number
  readonly change: UpdateListingRequest
}

export function useUpdateListing() {
  return useListingWrite(({ id, change }: ListingChange, idempotencyKey) =>
    call(adminStoreContract.update, { params: { id }, body: change, idempotencyKey }),
  )
}

export function useDeleteListing() {
  return useMutation({
    mutationFn: (id: number) => call(adminStoreContract.remove, { params: { id } }),
  })
}

/** Takes the deletion of a listing back. */
export function useRestoreListing() {
  return useMutation({
    mutationFn: (id: number) => call(adminStoreContract.restore, { params: { id } }),
  })
}

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

/** Puts small changes through one after the other, shown at once and taken back on failure. */
function useListingPatches<Input>(patchesOf: (input: Input) => readonly ListingPatch[]) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (input: Input) => {
      for (const { id, ...change } of patchesOf(input)) {
        const idempotencyKey = newIdempotencyKey()
        await call(adminStoreContract.update, { params: { id }, body: change, idempotencyKey })
      }
    },
    onMutate: (input) => showAtOnce(queryClient, patchesOf(input)),
    onError: (_error, _input, before) => {
      queryClient.setQueryData(listingsQuery.queryKey, before)
    },
  })
}

/** On or off sale; sends only `isActive`. */
export function useToggleListing() {
  return useListingPatches((patch: { readonly id: number; readonly isActive: boolean }) => [patch])
}

export function useSortListings() {
  return useListingPatches(
    (patches: readonly { readonly id: number; readonly sortOrder: number }[]) => patches,
  )
}
