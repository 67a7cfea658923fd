// How many calls are under way at once, and when none may be made: after failures or at a limit.

import { TwitchFault } from '../../shared/far-side-faults.ts'
import { KeyedSemaphore } from '../../shared/keyed-semaphore.ts'
import type { Clock } from '../clock/clock.ts'

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

export function limitReached(waitSeconds: number): TwitchFault {
  return new TwitchFault('rate_limited', 'Twitch asks to wait', {
    waitSeconds: Math.max(1, waitSeconds),
  })
}
