// Sends the text of a call that takes effect once.

import type { EndpointShape, Response } from '@redpack/contract'
import type { OnceAnswer } from '../db/once.ts'
import { ReadyAnswer } from './endpoint-routes.ts'

type KeyOf<Shape> = Shape extends unknown ? keyof Shape : never

/** What the contract does not know of; stored text is not filtered, so it would reach the wire. */
type Unknown<Answer, E extends EndpointShape> = Exclude<KeyOf<Answer>, KeyOf<Response<E>>>

/**
 * The stored text byte for byte, marked when an earlier request made it. Does not compile when the
 * answer lacks a field of the endpoint's, has another type in one, or a field more.
 */
export function onceAnswer<E extends EndpointShape, Answer extends Response<E>>(
  _endpoint: E,
  { body, replayed }: OnceAnswer<Answer>,
  ..._unknown: Unknown<Answer, E> extends never ? [] : [field: Unknown<Answer, E>]
): ReadyAnswer<Response<E>> {
  return new ReadyAnswer<Response<E>>(body, replayed ? { 'idempotency-replayed': 'true' } : {})
}
