// A clock that the schedule alone moves, and that the embedded database is given as well.

import type { Clock } from '../server/src/adapters/clock/clock.ts'

export class SimulatedClock implements Clock {
  millis: number

  constructor(millis: number) {
    this.millis = millis
  }

  now(): Date {
    return new Date(this.millis)
  }

  /** Nobody waits: the time has passed. */
  async pause(millis: number): Promise<void> {
    this.millis += millis
  }

  moveTo(millis: number): void {
    this.millis = Math.max(this.millis, millis)
  }
}

const RealDate = Date

/** The machine's time in milliseconds, for figures that are shown and decide nothing. */
export const realMillis = () => performance.now()

/**
 * Has everything in this process read `clock`: the embedded database asks JavaScript what time it
 * is, and its leases and defaults must follow the schedule.
 */
export function ruleTime(clock: SimulatedClock): void {
  class SimulatedDate extends RealDate {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(clock.millis)
      else super(...(given as [number]))
    }

    static override now(): number {
      return Math.floor(clock.millis)
    }
  }
  globalThis.Date = SimulatedDate as DateConstructor
}
