// The only source of time. Everything that needs the time asks here.

export interface Clock {
  now(): Date
  /** Waits so many milliseconds. */
  pause(millis: number): Promise<void>
}

/** A clock that can be moved forward, for the sandbox and for tests. */
export interface MovableClock extends Clock {
  /** Moves the clock forward by whole or broken seconds. @throws RangeError when not 0 or more */
  advance(seconds: number): void
}

export const systemClock: Clock = {
  now: () => new Date(),
  pause: (millis) => new Promise((resolve) => setTimeout(resolve, millis)),
}

/** Runs with the system's time plus what it was advanced by. */
export function movableClock(base: Pick<Clock, 'now'> = systemClock): MovableClock {
  let offsetMillis = 0
  return {
    now: () => new Date(base.now().getTime() + offsetMillis),
    pause: systemClock.pause,
    advance(seconds) {
      if (!(seconds >= 0) || !Number.isFinite(seconds)) {
        throw new RangeError('A clock only moves forward')
      }
      offsetMillis += seconds * 1000
    },
  }
}

/**
 * The outcome of `work`, unless it takes longer than `millisMax`. The work itself goes on, and what
 * becomes of it later is not told. A process that was held up runs its timers before it reads what
 * has arrived meanwhile, so it reads once more before the time counts as over.
 * @throws Error `took longer than … ms`, or what the work throws
 */
export async function withinMillis<Result>(
  work: Promise<Result>,
  millisMax: number,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const giveUp = () => reject(new Error(`took longer than ${millisMax} ms`))
    timer = setTimeout(() => setImmediate(giveUp), millisMax)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
