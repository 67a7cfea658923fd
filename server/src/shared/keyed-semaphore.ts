// Lets work on one key happen a few pieces at a time, in the order it was asked for.

import { Unavailable } from './domain-error.ts'

export interface SemaphoreLimits {
  /** Pieces of work under one key that run at the same time; 1 makes it a mutex. */
  readonly maxConcurrency: number
  /** Pieces under one key that may wait; whoever comes then is asked to come again. */
  readonly maxQueue: number
}

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * A line for each key inside this process: what waits in one takes nothing from the others, neither
 * a connection nor a place in front of one. Other processes are kept apart by the database alone.
 */
export class KeyedSemaphore {
  private readonly lines = new Map<number, Line>()
  private readonly limits: SemaphoreLimits

  constructor(limits: SemaphoreLimits) {
    this.limits = limits
  }

  /**
   * Runs `work` when fewer than so many of this key are running, first come first served.
   * @throws Unavailable when too many wait already
   */
  async take<Result>(key: number, work: () => Promise<Result>): Promise<Result> {
    const line = this.lines.get(key) ?? { running: 0, waiting: [] }
    this.lines.set(key, line)
    if (line.running < this.limits.maxConcurrency) line.running += 1
    // Who ends hands the turn on, so the number of those running stays as it is.
    else await this.wait(line)
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      if (next !== undefined) next()
      else line.running -= 1
      if (line.running === 0) this.lines.delete(key)
    }
  }

  private wait({ waiting }: Line): Promise<void> {
    if (waiting.length >= this.limits.maxQueue) {
      throw new Unavailable('Too many requests are waiting')
    }
    return new Promise((resolve) => waiting.push(resolve))
  }
}
