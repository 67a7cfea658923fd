// What fairness does by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { endPastChains } from './chains.ts'
import { keepLog } from './public-log.ts'

export const drawLogJobs: readonly Job[] = [
  // With the scheduler's look once a second, an entry is at most five seconds behind.
  { name: 'draw-log-append', everySeconds: 3, run: keepLog },
]

export const chainJobs: readonly Job[] = [
  { name: 'end-draw-chains', everySeconds: 60, run: endPastChains },
]
