// Lets work on one key happen one after the other, in the order it was asked for.

import { Unavailable } from '../../shared/domain-error.ts'

const waitingMax = 1_000

/** Turns inside this process. Other processes are kept apart by the database alone. */
export class KeyedMutex {
  private readonly lines = new Map<number, { last: Promise<unknown>; waiting: number }>()

  /**
   * Runs `work` when everything asked for earlier under `key` has ended, well or not.
   * @throws Unavailable when too many wait already
   */
  async take<Result>(key: number, work: () => Promise<Result>): Promise<Result> {
    const line = this.lines.get(key) ?? { last: Promise.resolve(), waiting: 0 }
    if (line.waiting >= waitingMax) throw new Unavailable('Too many requests are waiting')
    line.waiting += 1
    this.lines.set(key, line)
    const turn = line.last.then(work)
    // Whoever comes next waits for the end of this turn, not for its success.
    line.last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      line.waiting -= 1
      if (line.waiting === 0) this.lines.delete(key)
    }
  }
}
