// What the public log does by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { keepLog } from './keep-log.ts'

export const drawLogJobs: readonly Job[] = [
  {
    // With the scheduler's look once a second, an entry is at most five seconds behind.
    name: 'draw-log-append',
    everySeconds: 3,
    run: keepLog,
  },
]
