// Calls that somebody starts: an endpoint of the contract as a mutation.

import type { EndpointShape, Response as ResponseOf } from '@redpack/contract'
import {
  type QueryKey,
  type UseMutationOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { CallOptions } from './api.ts'
import { isOutcomeUnknown } from './api-error.ts'
import { callConfirmed } from './confirmed-call.ts'

type PlainCall<E extends EndpointShape> = (
  endpoint: E,
  options: CallOptions<E>,
) => Promise<ResponseOf<E>>

/** What follows one act. */
interface Following<Answer> {
  readonly onSuccess?: ((answer: Answer) => unknown) | undefined
  readonly onError?: ((error: Error) => unknown) | undefined
  readonly onSettled?: (() => unknown) | undefined
}

/**
 * A mutation whose `mutate` does what follows also when the component has gone meanwhile: the
 * library's own drops it then, and nobody would be told how the act ended. What `mutate` returns
 * can be awaited and never fails.
 */
export function useAct<Input, Answer, Before = unknown>(
  options: UseMutationOptions<Answer, Error, Input, Before>,
) {
  const mutation = useMutation(options)
  const { mutateAsync } = mutation
  const mutate = useCallback(
    (input: Input, { onSuccess, onError, onSettled }: Following<Answer> = {}): unknown =>
      mutateAsync(input)
        .then(onSuccess, onError ?? (() => undefined))
        .finally(onSettled),
    [mutateAsync],
  )
  return { ...mutation, mutate }
}

interface Patch {
  readonly id: number
}

/**
 * A small change to rows of the list under `queryKey`: shown at once, and taken back when it fails.
 * The answer to the next call for the list is the truth.
 */
export function usePatches<Input, Answer>(
  queryKey: QueryKey,
  patchesOf: (input: Input) => readonly Patch[],
  mutationFn: (input: Input) => Promise<Answer>,
) {
  const queryClient = useQueryClient()
  return useAct({
    mutationFn,
    onMutate: async (input) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData<readonly Patch[]>(queryKey)
      const patchOf = new Map(patchesOf(input).map((patch) => [patch.id, patch]))
      queryClient.setQueryData<readonly Patch[]>(queryKey, (rows) =>
        rows?.map((row) => ({ ...row, ...patchOf.get(row.id) })),
      )
      return before
    },
    onError: (_error, _input, before) => queryClient.setQueryData(queryKey, before),
  })
}

/**
 * A mutation that calls the endpoint with what it is given: under an idempotency key where the
 * endpoint takes one, and once more after a confirmation where it wants one. Where `shownIn` is the
 * key of a query, that query shows the answer from then on.
 */
export function useCall<E extends EndpointShape>(endpoint: E, shownIn?: QueryKey) {
  const queryClient = useQueryClient()
  const send = callConfirmed as unknown as PlainCall<E>
  return useIdempotentMutation(
    (options: CallOptions<E>, idempotencyKey) =>
      send(endpoint, endpoint.idempotent ? { ...options, idempotencyKey } : options),
    (answer) => {
      if (shownIn) queryClient.setQueryData(shownIn, answer)
    },
  )
}

const textOf = (input: unknown) => JSON.stringify(input ?? null, (_, value) => plainForm(value))

/** A form says nothing of itself as JSON; its files go by name, length and date. */
function plainForm(value: unknown): unknown {
  if (!(value instanceof FormData)) return value
  return [...value].map(([name, entry]) =>
    typeof entry === 'string' ? [name, entry] : [name, entry.name, entry.size, entry.lastModified],
  )
}

/**
 * A mutation whose `send` is given the key. A request that was sent and never answered keeps its
 * key, so that sending it again does nothing twice; another content is another intention. What
 * decides what the act does stands in its input, as JSON or as a form.
 */
export function useIdempotentMutation<Input, Answer>(
  send: (input: Input, idempotencyKey: string) => Promise<Answer>,
  show?: (answer: Answer) => void,
) {
  const [keys] = useState(() => new Map<string, string>())
  return useAct({
    mutationFn: (input: Input) => {
      const text = textOf(input)
      const key = keys.get(text) ?? newIdempotencyKey()
      keys.set(text, key)
      return send(input, key)
    },
    onSuccess: (answer, input) => {
      keys.delete(textOf(input))
      show?.(answer)
    },
    onError: (error, input) => {
      if (!isOutcomeUnknown(error)) keys.delete(textOf(input))
    },
  })
}

/**
 * A key nobody else has, for the `Idempotency-Key` header. Pages without HTTPS lack `randomUUID`,
 * not the random numbers; there it is 32 hex digits.
 */
export function newIdempotencyKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
