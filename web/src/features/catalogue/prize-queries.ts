// What the Prizes tab asks the server: every prize, and what staff do to them.

import {
  type AddInventoryRequest,
  type AdminPrize,
  adminPrizesContract,
  type CreatePrizeRequest,
  type UpdatePrizeRequest,
} from '@redpack/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { useKeyedAct } from '../../lib/use-keyed-act.ts'

/** Every prize, inactive ones included. */
export function useAdminPrizes() {
  return useQuery<AdminPrize[]>({
    ...endpointQuery(adminPrizesContract.list, { shows: ['catalogue'], empty: [] }),
  })
}

export function useCreatePrize() {
  return useKeyedAct((body: CreatePrizeRequest, idempotencyKey) =>
    call(adminPrizesContract.create, { body, idempotencyKey }),
  )
}

interface PrizeChange {
  readonly id: number
  readonly change: UpdatePrizeRequest
}

export function useUpdatePrize() {
  return useKeyedAct(({ id, change }: PrizeChange, idempotencyKey) =>
    call(adminPrizesContract.update, { params: { id }, body: change, idempotencyKey }),
  )
}

export function useAddInventory(id: number) {
  return useKeyedAct((body: AddInventoryRequest, idempotencyKey) =>
    call(adminPrizesContract.addInventory, { params: { id }, body, idempotencyKey }),
  )
}

/** Sets the stock of a prize; null makes it unlimited. */
export function useSetInventory(id: number) {
  return useKeyedAct((quantity: number | null, idempotencyKey) =>
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
