// What the delivery feature asks the server: where one prize goes, and saying so.

import { deliveryContract, type SaveDeliveryRequest } from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'

const deliveryQuery = (claimId: string) =>
  endpointQuery(deliveryContract.read, {
    shows: [],
    key: [claimId],
    ask: (signal) => call(deliveryContract.read, { params: { claimId }, signal }),
    isNeeded: true,
  })

/** The delivery details of one claim; asked for only while they are looked at. */
export function useDelivery(claimId: string) {
  return useQuery({
    ...deliveryQuery(claimId),
    // An address does not stay in the page longer than it is needed.
    gcTime: 0,
  })
}

export type DeliveryInput = z.input<typeof SaveDeliveryRequest>

/** Saves the details. */
export function useSaveDelivery(claimId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: DeliveryInput) => call(deliveryContract.save, { params: { claimId }, body }),
    onSuccess: (answer) => queryClient.setQueryData(deliveryQuery(claimId).queryKey, answer),
  })
}
