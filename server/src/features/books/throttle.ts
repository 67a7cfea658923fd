// How gently a look at the books goes about it, beside everybody else on the database.

import type { Deps } from '../../adapters/deps.ts'

interface Throttle {
  readonly stepMillisAim: number
  /** Rest after a step, as a multiple of what the step took. */
  readonly rest: number
}

export const throttle: Readonly<Record<Deps['db']['kind'], Throttle>> = {
  // On its own connection a step holds up nobody but those who share the machine.
  postgres: { stepMillisAim: 100, rest: 1 },
  // The one connection serves requests as well, which wait for a step to end.
  embedded: { stepMillisAim: 15, rest: 2 },
}

/** A run gives its lease back after this time; the next one goes on. */
export const runMillisMax = 240_000
export const statementMillisMax = 60_000
/** A look takes this part of one core at most. */
export const workShare = 20

/** Ends early when it is to stop. */
export function pause(millis: number, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted || millis < 1) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stopping.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, millis)
    stopping.addEventListener('abort', end)
  })
}
