// How far a watch session has come, from the seconds that the server has counted.

/** Watch time where a stream does not say its own, in seconds. */
const requiredSecondsDefault = 3600

/** How often sessions are asked for, in milliseconds. */
export const sessionsPollMs = 10_000

/** Watch time a stream asks for, in seconds. */
export function requiredSeconds(stream: { readonly watchTimeRequired?: number | null }): number {
  const { watchTimeRequired } = stream
  return watchTimeRequired && watchTimeRequired > 0 ? watchTimeRequired : requiredSecondsDefault
}

/** Total watch time divided by required time, in percent, 0 to 100. */
export function progressPercent(watchedSeconds: number, required: number): number {
  if (!(watchedSeconds > 0)) return 0
  return Math.min(100, (watchedSeconds / required) * 100)
}

/** What a session that goes on shows at most, in percent: the rest comes with its completion. */
const unfinishedMax = 99

/** Percent of a session that is not completed yet, by what the server has counted. */
export function unfinishedPercent(watchedSeconds: number, required: number): number {
  return Math.min(unfinishedMax, progressPercent(watchedSeconds, required))
}

/** Quarters that are announced while a session runs; the end is announced with its rewards. */
const quarters = [75, 50, 25] as const

/** The highest quarter passed between two percentages; undefined when none was. */
export function quarterPassed(before: number, now: number): number | undefined {
  return quarters.find((quarter) => before < quarter && now >= quarter)
}
