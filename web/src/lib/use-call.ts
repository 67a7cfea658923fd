// Calls that somebody starts: an endpoint of the contract as a mutation.

import type { EndpointShape, Response as ResponseOf } from '@redpack/contract'
import { useMutation } from '@tanstack/react-query'
import { type CallOptions, call } from './api.ts'
import { useKeyedAct } from './use-keyed-act.ts'

type PlainCall<E extends EndpointShape> = (
  endpoint: E,
  options: CallOptions<E>,
) => Promise<ResponseOf<E>>

/** A mutation that calls the endpoint with what it is given. */
export function useCall<E extends EndpointShape>(endpoint: E) {
  const send = call as unknown as PlainCall<E>
  return useMutation({ mutationFn: (options: CallOptions<E>) => send(endpoint, options) })
}

/** The same under an idempotency key, for endpoints that take one. */
export function useKeyedCall<E extends EndpointShape>(endpoint: E) {
  const send = call as unknown as PlainCall<E>
  return useKeyedAct((options: CallOptions<E>, idempotencyKey) =>
    send(endpoint, { ...options, idempotencyKey }),
  )
}
