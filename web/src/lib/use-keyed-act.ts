// An act under an idempotency key of its own, so that a lost answer never means a second effect.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isOutcomeUnknown } from './api-error.ts'
import { newIdempotencyKey } from './idempotency-key.ts'

interface RequestIntent<T> {
  /** The `Idempotency-Key` to send with the request. */
  keyOf(request: T): string
  /** The request was answered: the same request is a new intention from now on. */
  settle(): void
}

/**
 * A request that was sent and never answered keeps its key, so that sending it again does nothing
 * twice. Another content is another intention.
 */
function createRequestIntent<T>(): RequestIntent<T> {
  let open: { readonly text: string; readonly key: string } | undefined
  return {
    keyOf(request) {
      const text = JSON.stringify(request)
      if (open?.text !== text) open = { text, key: newIdempotencyKey() }
      return open.key
    },
    settle() {
      open = undefined
    },
  }
}

/**
 * A mutation whose `send` is given the key; one that was never answered is sent again under the
 * same. `nameOf` says what decides what the act does, where the input cannot be written as JSON.
 */
export function useKeyedAct<Input, Answer>(
  send: (input: Input, idempotencyKey: string) => Promise<Answer>,
  nameOf: (input: Input) => unknown = (input) => input ?? null,
) {
  const [intent] = useState(() => createRequestIntent<unknown>())
  return useMutation({
    mutationFn: (input: Input) => send(input, intent.keyOf(nameOf(input))),
    onSuccess: () => intent.settle(),
    onError: (error) => {
      if (!isOutcomeUnknown(error)) intent.settle()
    },
  })
}
