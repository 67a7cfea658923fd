// One call to Twitch: time-out, no redirects, JSON back, rate limits, one kind of failure.
// Facts: dev.twitch.tv/docs/api/guide (rate limits), /docs/authentication (errors).

import { parsed } from '@redpack/fair/bytes'
import type * as z from 'zod/mini'
import { TwitchFault } from '../../shared/far-side-faults.ts'
import { KeyedSemaphore } from '../../shared/turns.ts'
import type { Clock } from '../clock/clock.ts'
import { call as send } from '../outbound/call-json.ts'

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
      const { status, headers, text } = await send(call.url, initOf(call)).catch(
        (error: unknown) => {
          gate.failed()
          throw unreachable(error)
        },
      )
      const reset = Number(headers.get('ratelimit-reset') ?? Number.NaN)
      if (status === 429) throw limitReached(gate.limit(call.bucket, reset))
      if (headers.get('ratelimit-remaining') === '0') gate.limit(call.bucket, reset)
      // An empty answer is no JSON but right for some calls.
      const body = text === '' ? undefined : parsed(text)
      if (status >= 500 || (text !== '' && body === undefined)) {
        gate.failed()
        throw unreachable(new Error(`Twitch answered ${status}, not as expected`))
      }
      gate.succeeded()
      return { status, body }
    })
}

function initOf({ method = 'GET', headers = {}, json, form }: TwitchCall) {
  if (form !== undefined) return { method, headers, body: new URLSearchParams(form) }
  if (json === undefined) return { method, headers }
  const typed = { 'content-type': 'application/json', ...headers }
  return { method, headers: typed, body: JSON.stringify(json) }
}

/** Errors of fetch name addresses at most; those of Twitch carry neither token nor code. */
function unreachable(cause: unknown): TwitchFault {
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

/** Bursts of more were answered with errors by the real service. */
const turnLimits = { maxConcurrency: 4, maxQueue: 1_000 }
/** All calls share one line. */
const line = 0
const failuresMax = 5
const restMillis = 30_000
/** A limit is at most a minute long; a later reset is a mistake of the service or of our clock. */
const limitMillisMax = 60_000

/** One gate guards one service; limits count per bucket, which is a token's owner. */
export class CallGate {
  private readonly clock: Clock
  private readonly turns = new KeyedSemaphore(turnLimits)
  private failures = 0
  private restUntilMillis = 0
  private readonly limitedUntil = new Map<string, number>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  /**
   * Makes the call when its turn comes.
   * @throws TwitchFault unreachable or rate_limited; Unavailable when too many wait
   */
  async pass<Answer>(bucket: string, call: () => Promise<Answer>): Promise<Answer> {
    this.refuseWhileClosed(bucket)
    return this.turns.take(line, () => {
      // Those who waited learn what the ones before them have found out.
      this.refuseWhileClosed(bucket)
      return call()
    })
  }

  /** Takes note of an answer that made sense. */
  succeeded(): void {
    this.failures = 0
  }

  /** After five failures in a row nobody is asked for 30 s; then one failure is enough. */
  failed(): void {
    this.failures += 1
    if (this.failures >= failuresMax) this.restUntilMillis = this.now() + restMillis
  }

  /**
   * The bucket is empty until this time of the service, seconds since 1970. Answers how many
   * seconds that is taken for.
   */
  limit(bucket: string, resetSeconds: number): number {
    const now = this.now()
    const said = Number.isFinite(resetSeconds) ? resetSeconds * 1000 : now + 1000
    const until = Math.min(said, now + limitMillisMax)
    this.limitedUntil.set(bucket, until)
    return Math.ceil((until - now) / 1000)
  }

  private refuseWhileClosed(bucket: string): void {
    const now = this.now()
    if (this.restUntilMillis > now) {
      throw new TwitchFault('unreachable', 'Twitch has failed too often and is left alone', {
        waitSeconds: Math.ceil((this.restUntilMillis - now) / 1000),
      })
    }
    const until = this.limitedUntil.get(bucket) ?? 0
    if (until > now) throw limitReached(Math.ceil((until - now) / 1000))
    this.limitedUntil.delete(bucket)
  }

  private now(): number {
    return this.clock.now().getTime()
  }
}

function limitReached(waitSeconds: number): TwitchFault {
  return new TwitchFault('rate_limited', 'Twitch asks to wait', {
    waitSeconds: Math.max(1, waitSeconds),
  })
}
