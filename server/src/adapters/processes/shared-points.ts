// Counts for several processes on one port: the supervising process counts the limits against
// guessing and hoarding, so that more processes do not mean more attempts.

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { ProcessLink } from './process-link.ts'

/** A call waits no longer than this; then its own process counts. */
const answerMillisMax = 150

/** One limit: its name, and how many points a window of so many seconds has. */
export interface PointsOf {
  readonly name: string
  readonly points: number
  readonly windowSeconds: number
}

interface Question extends PointsOf {
  readonly key: string
}

interface Left {
  readonly isRefused: boolean
  readonly millisBeforeNext: number
}

/** Counts for every process whose link is given to `answer`. */
export class SharedPoints {
  readonly #counters = new Map<string, RateLimiterMemory>()

  answer(link: ProcessLink): void {
    link.on('take_point', async (question): Promise<Left> => {
      const { key, ...limit } = question as Question
      return this.#counterOf(limit)
        .consume(key)
        .then(
          ({ msBeforeNext }) => ({ isRefused: false, millisBeforeNext: msBeforeNext }),
          ({ msBeforeNext }: RateLimiterRes) => ({
            isRefused: true,
            millisBeforeNext: msBeforeNext,
          }),
        )
    })
    link.on('give_back_point', async (question) => {
      const { key, ...limit } = question as Question
      await this.#counterOf(limit).reward(key)
    })
  }

  #counterOf({ name, points, windowSeconds }: PointsOf): RateLimiterMemory {
    const known = this.#counters.get(name)
    if (known !== undefined) return known
    const counter = new RateLimiterMemory({ keyPrefix: name, points, duration: windowSeconds })
    this.#counters.set(name, counter)
    return counter
  }
}

/** One limit that is counted at the other end of the link, in the words of the library. */
export interface AskedPoints {
  /** @throws RateLimiterRes when no point is left, Error when nobody answers in time */
  consume(key: string): Promise<RateLimiterRes>
  reward(key: string): Promise<RateLimiterRes>
}

export function askedPoints(link: ProcessLink, limit: PointsOf): AskedPoints {
  const ask = (subject: 'take_point' | 'give_back_point', key: string) =>
    link.ask(subject, { ...limit, key } satisfies Question, answerMillisMax)
  return {
    async consume(key) {
      const left = (await ask('take_point', key)) as Left
      const counted = new RateLimiterRes(0, left.millisBeforeNext)
      if (left.isRefused) throw counted
      return counted
    },
    async reward(key) {
      await ask('give_back_point', key)
      return new RateLimiterRes(0, 0)
    },
  }
}
