// What the delivery feature asks the server: where one prize goes, and saying so.

import { claimsContract, deliveryContract, type SaveDeliveryRequest } from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { call } from '../../lib/api.ts'

/** The delivery details of one claim; asked for only while they are looked at. */
export function useDelivery(claimId: string) {
  return useQuery({
    queryKey: [deliveryContract.read.path, claimId],
    queryFn: ({ signal }) => call(deliveryContract.read, { params: { claimId }, signal }),
    // An address does not stay in the page longer than it is needed.
    gcTime: 0,
  })
}

export type DeliveryInput = z.input<typeof SaveDeliveryRequest>

/** Saves the details; the claims then show the step in their timelines. */
export function useSaveDelivery(claimId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: DeliveryInput) => call(deliveryContract.save, { params: { claimId }, body }),
    onSuccess: (answer) => {
      queryClient.setQueryData([deliveryContract.read.path, claimId], answer)
      queryClient.invalidateQueries({ queryKey: [claimsContract.list.path] }).catch(() => undefined)
    },
  })
}
