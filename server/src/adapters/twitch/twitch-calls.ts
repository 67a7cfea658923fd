// One call to Twitch: time-out, no redirects, JSON back, limits heeded, one kind of failure.
// Facts: dev.twitch.tv/docs/api/guide (rate limits), /docs/authentication (errors).

import { parsed } from '@redpack/fair/bytes'
import type * as z from 'zod/mini'
import { TwitchFault } from '../../shared/far-side-faults.ts'
import type { Clock } from '../clock/clock.ts'
import { textOf } from '../outbound/call-json.ts'
import { CallGate, limitReached } from './call-gate.ts'

const timeoutMillis = 5_000

export interface TwitchCall {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** Whose limit the call counts against. */
  readonly bucket: string
}

export interface TwitchAnswer {
  readonly status: number
  readonly body: unknown
}

/**
 * Answers whatever Twitch said below 500 but 429.
 * @throws TwitchFault unreachable or rate_limited
 */
export type TwitchCaller = (call: TwitchCall) => Promise<TwitchAnswer>

export function twitchCaller(clock: Clock): TwitchCaller {
  const gate = new CallGate(clock)
  return (call) =>
    gate.pass(call.bucket, async () => {
      const { response, text } = await send(call).catch((error: unknown) => {
        gate.failed()
        throw unreachable(error)
      })
      const reset = Number(response.headers.get('ratelimit-reset') ?? Number.NaN)
      if (response.status === 429) {
        throw limitReached(gate.limit(call.bucket, reset))
      }
      if (response.headers.get('ratelimit-remaining') === '0') gate.limit(call.bucket, reset)
      // An empty answer is no JSON but right for some calls.
      const body = text === '' ? undefined : parsed(text)
      if (response.status >= 500 || (text !== '' && body === undefined)) {
        gate.failed()
        throw unreachable(new Error(`Twitch answered ${response.status}, not as expected`))
      }
      gate.succeeded()
      return { status: response.status, body }
    })
}

async function send(call: TwitchCall): Promise<{ response: Response; text: string }> {
  const { method = 'GET', url, headers = {}, json, form } = call
  const body = form === undefined ? JSON.stringify(json) : new URLSearchParams(form)
  const response = await fetch(url, {
    method,
    headers: json === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMillis),
  })
  return { response, text: await textOf(response) }
}

/** Errors of fetch name addresses at most; those of Twitch carry neither token nor code. */
export function unreachable(cause: unknown): TwitchFault {
  return new TwitchFault('unreachable', 'Twitch cannot be reached right now', { cause })
}

/** @throws TwitchFault unreachable when the answer has another shape */
export function readAnswer<Schema extends z.ZodMiniType>(
  schema: Schema,
  answer: TwitchAnswer,
): z.output<Schema> {
  const result = schema.safeParse(answer.body)
  if (result.success) return result.data
  throw unreachable(new Error(`Twitch answered ${answer.status} in an unknown shape`))
}

/** The fault that stands for a status of 400 to 499. */
export function faultOf(answer: TwitchAnswer): TwitchFault {
  const { status } = answer
  const details = { cause: new Error(`Twitch answered ${status}`), code: status }
  if (status === 401) {
    return new TwitchFault('unauthorized', 'Twitch does not accept the token', details)
  }
  if (status === 403) {
    return new TwitchFault('forbidden', 'Twitch does not allow this', details)
  }
  return new TwitchFault('refused', `Twitch refused this (${status})`, details)
}
