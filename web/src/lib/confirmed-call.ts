// Calls that the server lets through only after somebody has confirmed that it is them.

import type { EndpointShape, Response as ResponseOf } from '@redpack/contract'
import { call } from './api.ts'
import { ApiError } from './api-error.ts'

/** Asks the person for a code; true once the server has taken it, false when they give up. */
export type ConfirmIdentity = () => Promise<boolean>

let ask: ConfirmIdentity | undefined
let asking: Promise<boolean> | undefined

/** Says who asks the person. @returns the way to stop */
export function answerConfirmations(confirm: ConfirmIdentity): () => void {
  ask = confirm
  return () => {
    if (ask === confirm) ask = undefined
  }
}

/**
 * Calls an endpoint; where the server wants a confirmation first, asks for it and calls once more.
 * Calls that come at once share one question.
 * @throws ApiError also when the person gave up
 */
export async function callConfirmed<E extends EndpointShape>(
  endpoint: E,
  ...options: Parameters<typeof call<E>> extends [unknown, ...infer Rest] ? Rest : never
): Promise<ResponseOf<E>> {
  const send = () => call<E>(endpoint, ...(options as never))
  try {
    return await send()
  } catch (error) {
    const isNeeded = error instanceof ApiError && error.code === 'confirmation_needed'
    if (!isNeeded || ask === undefined) throw error
    asking ??= ask().finally(() => {
      asking = undefined
    })
    if (!(await asking)) throw error
    return send()
  }
}
