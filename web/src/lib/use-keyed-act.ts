// An act under an idempotency key of its own, so that a lost answer never means a second effect.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isOutcomeUnknown } from './api-error.ts'
import { createRequestIntent } from './request-intent.ts'

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
