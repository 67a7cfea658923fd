// How far a watch session has come, from the seconds that the server has counted.

/** Watch time where a stream does not say its own, in seconds. */
const requiredSecondsDefault = 3600

/**
 * How often sessions are asked for, in milliseconds; the display never runs further ahead than
 * this.
 */
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

/** What the display stands on between two answers of the server. */
export interface Anchor {
  /** Seconds the server has counted. */
  readonly seconds: number
  /** When the server's count last changed. */
  readonly sinceMs: number
  /** Seconds shown at that moment; the display does not run backwards. */
  readonly shownThen: number
}

/**
 * Seconds to show while time counts: the server's count and the time since, never more than one
 * poll ahead of the server.
 */
export function shownSeconds(anchor: Anchor, nowMs: number): number {
  const aheadMs = Math.min(sessionsPollMs, Math.max(0, nowMs - anchor.sinceMs))
  return Math.max(anchor.shownThen, anchor.seconds + aheadMs / 1000)
}

/** The anchor after the server's count changed to `seconds`. */
export function nextAnchor(before: Anchor, seconds: number, nowMs: number): Anchor {
  // A count that went down is another session's: the display starts over.
  const shownThen = seconds < before.seconds ? seconds : shownSeconds(before, nowMs)
  const limit = seconds + sessionsPollMs / 1000
  return { seconds, sinceMs: nowMs, shownThen: Math.min(shownThen, limit) }
}

/** Quarters that are announced while a session runs; the end is announced with its rewards. */
const quarters = [75, 50, 25] as const

/** The highest quarter passed between two percentages; undefined when none was. */
export function quarterPassed(before: number, now: number): number | undefined {
  return quarters.find((quarter) => before < quarter && now >= quarter)
}
