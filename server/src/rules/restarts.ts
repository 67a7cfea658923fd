// When a process that has ended by itself is started again.

const pauseMillisMin = 200
const pauseMillisMax = 10_000
/** A process that served for so long has not failed to start. */
const steadyMillis = 60_000
const failuresMax = 5

/** How often in a row a process has ended soon after its start. */
export function failuresAfter(failuresBefore: number, ranMillis: number): number {
  return ranMillis >= steadyMillis ? 0 : failuresBefore + 1
}

/** How long to wait before the next start, in milliseconds; it doubles from failure to failure. */
export function restartPause(failuresInRow: number): number {
  const doublings = Math.min(Math.max(0, failuresInRow - 1), 16)
  return Math.min(pauseMillisMin * 2 ** doublings, pauseMillisMax)
}

/**
 * As long as one process serves, another start costs nobody anything. With none left, a supervisor
 * above this one must see that nothing works.
 */
export function shouldGiveUp(failuresInRow: number, othersServe: boolean): boolean {
  return !othersServe && failuresInRow >= failuresMax
}
