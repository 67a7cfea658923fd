// Sends the text of a call that takes effect once.

import type { OnceAnswer } from '../db/once.ts'
import { ReadyAnswer } from './endpoint-routes.ts'

/** The stored text byte for byte, marked when an earlier request made it. */
export function onceAnswer({ body, replayed }: OnceAnswer): ReadyAnswer {
  return new ReadyAnswer(body, replayed ? { 'idempotency-replayed': 'true' } : {})
}
