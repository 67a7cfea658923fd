// Lets one person use a few turns at a time, and makes whoever wants more wait for themselves.

import { Unavailable } from '../../shared/domain-error.ts'

/** Half of the connections that a process has to the database unless told otherwise. */
const atOnceMax = 4
const waitingMax = 1_000

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * A line for each person: what is beyond their turns waits in it, and takes nothing from the others
 * meanwhile, neither a connection nor a place in front of one.
 */
export class FairTurns {
  readonly #lines = new Map<number, Line>()

  /**
   * Runs `work` when fewer than four of this person are running, first come first served.
   * @throws Unavailable when a thousand wait already
   */
  async take<Result>(userId: number, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(userId) ?? { running: 0, waiting: [] }
    this.#lines.set(userId, line)
    if (line.running < atOnceMax) line.running += 1
    // Who ends hands the turn on, so the number of those running stays as it is.
    else await this.#wait(line)
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      if (next !== undefined) next()
      else line.running -= 1
      if (line.running === 0) this.#lines.delete(userId)
    }
  }

  #wait(line: Line): Promise<void> {
    if (line.waiting.length >= waitingMax) throw new Unavailable('Too many requests are waiting')
    return new Promise((resolve) => line.waiting.push(resolve))
  }
}
