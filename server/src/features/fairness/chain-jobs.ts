// What fairness does by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { endPastChains } from './end-past-chains.ts'

export const fairnessJobs: readonly Job[] = [
  { name: 'end-draw-chains', everySeconds: 60, run: endPastChains },
]
