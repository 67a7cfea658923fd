// What the Prizes tab asks the server: every prize, and what staff do to them.

import {
  type AddInventoryRequest,
  type AdminPrize,
  adminPrizesContract,
  type CreatePrizeRequest,
  type UpdatePrizeRequest,
} from '@redpack/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { createRequestIntent, type RequestIntent } from '../../lib/request-intent.ts'
import { isOutcomeUnknown } from '../packs/queries.ts'

/** Every prize, inactive ones included. */
export function useAdminPrizes() {
  return useQuery<AdminPrize[]>({
    ...endpointQuery(adminPrizesContract.list, { shows: ['catalogue'], empty: [] }),
  })
}

/** A write under a key of its own; one that was never answered is sent again under the same. */
function usePrizeWrite<Input>(send: (input: Input, key: string) => Promise<AdminPrize>) {
  const [intent] = useState<RequestIntent<Input>>(createRequestIntent)
  return useMutation({
    mutationFn: (input: Input) => send(input, intent.keyOf(input)),
    onSuccess: () => intent.settle(),
    onError: (error) => {
      if (!isOutcomeUnknown(error)) intent.settle()
    },
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
  return useMutation({
    mutationFn: (id: number) => call(adminPrizesContract.remove, { params: { id } }),
  })
}

/** Takes the deletion of a prize back. */
export function useRestorePrize() {
  return useMutation({
    mutationFn: (id: number) => call(adminPrizesContract.restore, { params: { id } }),
  })
}
