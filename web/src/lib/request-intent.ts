// Keeps one key for one intention, however often the request has to be sent.

import { newIdempotencyKey } from './idempotency-key.ts'

export interface RequestIntent<T> {
  /** The `Idempotency-Key` to send with the request. */
  keyOf(request: T): string
  /** The request was answered: the same request is a new intention from now on. */
  settle(): void
}

/**
 * A request that was sent and never answered keeps its key, so that sending it again does nothing
 * twice. Another content is another intention.
 */
export function createRequestIntent<T>(): RequestIntent<T> {
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
