// What the draw log does by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { appendDrawLog } from './append-draw-log.ts'

export const drawLogJobs: readonly Job[] = [
  {
    name: 'draw-log-append',
    everySeconds: 15,
    run: async (world) => {
      await appendDrawLog(world)
    },
  },
]
