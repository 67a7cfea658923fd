// The shape of work that the clock starts, and not a request.

import type { Deps } from '../deps.ts'

/**
 * Work that is done again and again, by one process at a time however many run on one database. A
 * run that was cut off is started over after its lease, so it must be harmless to run twice.
 */
export interface Job {
  /** Names the job's row, so a name must never change: kebab-case, `feature-what-it-does`. */
  readonly name: string
  /** Seconds from the start of one run to the start of the next. */
  readonly everySeconds: number
  /**
   * Throws when the run failed; the scheduler keeps the reason and tries again when next due.
   * `stopping` is aborted when the process is about to end: long work ends early then.
   */
  run(deps: Deps, stopping?: AbortSignal): Promise<unknown>
}
