// What the Prizes tab asks the server: every prize, and what staff do to them.

import {
  type AddInventoryRequest,
  type AdminPrize,
  adminOverviewContract,
  adminPackTypesContract,
  adminPrizesContract,
  type CreatePrizeRequest,
  fairnessContract,
  packsContract,
  storeContract,
  type UpdatePrizeRequest,
} from '@redpack/contract'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { refreshQueries } from '../../lib/refresh-queries.ts'
import { createRequestIntent, type RequestIntent } from '../../lib/request-intent.ts'
import { isOutcomeUnknown } from '../packs/queries.ts'

/** Every prize, inactive ones included. */
export function useAdminPrizes() {
  return useQuery<AdminPrize[]>({
    queryKey: [adminPrizesContract.list.path],
    queryFn: ({ signal }) => call(adminPrizesContract.list, { signal }),
  })
}

/** What a change of prizes may change elsewhere: odds, packs, the store, the figures of staff. */
function refreshAfter(queryClient: QueryClient): void {
  refreshQueries(queryClient, [
    adminPrizesContract.list,
    adminPackTypesContract.list,
    adminOverviewContract.stats,
    fairnessContract.odds,
    packsContract.types,
    storeContract.listings,
  ])
}

/** A write under a key of its own; one that was never answered is sent again under the same. */
function usePrizeWrite<Input>(send: (input: Input, key: string) => Promise<AdminPrize>) {
  const queryClient = useQueryClient()
  const [intent] = useState<RequestIntent<Input>>(createRequestIntent)
  return useMutation({
    mutationFn: (input: Input) => send(input, intent.keyOf(input)),
    onSuccess: () => intent.settle(),
    onError: (error) => {
      if (!isOutcomeUnknown(error)) intent.settle()
    },
    onSettled: () => refreshAfter(queryClient),
  })
}

export function useCreatePrize() {
  return usePrizeWrite((body: CreatePrizeRequest, idempotencyKey) =>
    call(adminPrizesContract.create, { body, idempotencyKey }),
  )
}

interface PrizeChange {
  readonly id: number
  readonly change: UpdatePrizeRequest
}

export function useUpdatePrize() {
  return usePrizeWrite(({ id, change }: PrizeChange, idempotencyKey) =>
    call(adminPrizesContract.update, { params: { id }, body: change, idempotencyKey }),
  )
}

export function useAddInventory(id: number) {
  return usePrizeWrite((body: AddInventoryRequest, idempotencyKey) =>
    call(adminPrizesContract.addInventory, { params: { id }, body, idempotencyKey }),
  )
}

/** Sets the stock of a prize; null makes it unlimited. */
export function useSetInventory(id: number) {
  return usePrizeWrite((quantity: number | null, idempotencyKey) =>
    call(adminPrizesContract.setInventory, { params: { id }, body: { quantity }, idempotencyKey }),
  )
}

export function useDeletePrize() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(adminPrizesContract.remove, { params: { id } }),
    onSettled: () => refreshAfter(queryClient),
  })
}

/** Takes the deletion of a prize back. */
export function useRestorePrize() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(adminPrizesContract.restore, { params: { id } }),
    onSettled: () => refreshAfter(queryClient),
  })
}
