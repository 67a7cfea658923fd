// Sends the text of a call that takes effect once.

import type { EndpointShape, Response } from '@redpack/contract'
import type { IdempotentAnswer } from '../db/idempotent.ts'
import { SerializedAnswer } from './endpoint-routes.ts'

type KeyOf<Shape> = Shape extends unknown ? keyof Shape : never

/** What the contract does not know of; stored text is not filtered, so it would reach the wire. */
type Unknown<Answer, E extends EndpointShape> = Exclude<KeyOf<Answer>, KeyOf<Response<E>>>

/**
 * The stored text byte for byte, marked when an earlier request made it. Does not compile when the
 * answer lacks a field of the endpoint's, has another type in one, or a field more.
 */
export function idempotentAnswer<E extends EndpointShape, Answer extends Response<E>>(
  _endpoint: E,
  answered: IdempotentAnswer<Answer>,
  ..._unknown: Unknown<Answer, E> extends never ? [] : [field: Unknown<Answer, E>]
): SerializedAnswer<Response<E>> {
  return replayableAnswer<Response<E>>(answered)
}

/** The text of an answer that is checked where it comes from. */
export function replayableAnswer<Answer>({
  body,
  replayed,
}: IdempotentAnswer<Answer>): SerializedAnswer<Answer> {
  return new SerializedAnswer(body, replayed ? { 'idempotency-replayed': 'true' } : {})
}
