// Calls that somebody starts: an endpoint of the contract as a mutation.

import type { EndpointShape, Response as ResponseOf } from '@redpack/contract'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type CallOptions, call } from './api.ts'
import { useKeyedAct } from './use-keyed-act.ts'

type PlainCall<E extends EndpointShape> = (
  endpoint: E,
  options: CallOptions<E>,
) => Promise<ResponseOf<E>>

/**
 * A mutation that calls the endpoint with what it is given. Where `shownIn` is the key of a query,
 * that query shows the answer from then on.
 */
export function useCall<E extends EndpointShape>(endpoint: E, shownIn?: QueryKey) {
  const queryClient = useQueryClient()
  const send = call as unknown as PlainCall<E>
  return useMutation({
    mutationFn: (options: CallOptions<E>) => send(endpoint, options),
    onSuccess: (answer) => {
      if (shownIn) queryClient.setQueryData(shownIn, answer)
    },
  })
}

/** The same under an idempotency key, for endpoints that take one. */
export function useKeyedCall<E extends EndpointShape>(endpoint: E) {
  const send = call as unknown as PlainCall<E>
  return useKeyedAct((options: CallOptions<E>, idempotencyKey) =>
    send(endpoint, { ...options, idempotencyKey }),
  )
}
