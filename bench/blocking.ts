// How long a page keeps presses waiting, by the processor time of its tasks: on a busy machine the
// clock counts what other programs take.

/** As much of an event of a browser's trace as is read here; times in microseconds. */
export interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  /** Processor time of the thread, where the browser has measured it. */
  readonly tdur?: number
  readonly args?: { readonly data?: { readonly documentLoaderURL?: string } }
}

/** What a mid-range phone takes longer, as Lighthouse simulates it. */
const slowdown = 4
/** A task is felt from this length on, in milliseconds. */
const feltMillis = 50

/**
 * What the tasks of a page's main thread take beyond 50 ms each, in milliseconds of a phone: from
 * the beginning of the page on, so rather more than Lighthouse counts.
 */
export function blockedByProcessor(events: readonly TraceEvent[], address: string): number {
  const isStart = ({ name, args }: TraceEvent) =>
    name === 'navigationStart' && args?.data?.documentLoaderURL?.startsWith(address)
  const start = events.filter(isStart).at(-1)
  if (!start) return Number.NaN
  return events
    .filter(({ name, ph, pid, tid, ts }) => {
      const isOfPage = pid === start.pid && tid === start.tid && ts >= start.ts
      return isOfPage && ph === 'X' && name === 'RunTask'
    })
    .reduce((sum, { tdur = 0 }) => sum + Math.max(0, (tdur / 1000) * slowdown - feltMillis), 0)
}
