// What a process knows of the others on its port: its number among them, and what it asks them
// through the supervising process.

import { type IRateLimiterOptions, RateLimiterCluster } from 'rate-limiter-flexible'
import type { ProcessLink } from './process-link.ts'

/** Beyond this whoever collects the figures has given up. */
const figuresMillisMax = 1_800
/** A call waits no longer than this; then its own process counts. */
const pointMillisMax = 150

/** What the supervising process tells each one it starts, in a variable of its environment. */
export interface ProcessPlace {
  /** Counted from 1. */
  readonly number: number
  readonly count: number
}

/** How the processes of one port are doing, as their supervisor counts. */
export interface ProcessCounts {
  readonly wanted: number
  readonly serving: number
  /** Processes that were started again since the supervisor's own start. */
  readonly restarts: number
}

/** Figures of the processes beside this one; texts of JSON, one a process that answered in time. */
export interface FiguresOfOthers {
  readonly counts: ProcessCounts
  readonly texts: readonly string[]
}

export type Siblings = ReturnType<typeof siblingsOver>

export function siblingsOver(link: ProcessLink, place: ProcessPlace) {
  return {
    place,
    /** The figures of the others. @throws when the supervisor does not answer in time */
    figuresOfOthers: async () =>
      (await link.ask('metrics_of_all', place.number, figuresMillisMax)) as FiguresOfOthers,
    /** Answers others when they gather figures. */
    onFiguresAsked: (text: () => Promise<string>) => link.on('metrics', text),
    /** A limit that the supervising process counts, so that more processes are no more attempts. */
    points: (limit: IRateLimiterOptions) =>
      new RateLimiterCluster({ ...limit, timeoutMs: pointMillisMax }),
  }
}
