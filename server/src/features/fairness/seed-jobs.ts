// What fairness does by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { sealSeeds } from './seal-seeds.ts'

export const fairnessJobs: readonly Job[] = [
  // A dump of an earlier version may be restored at any time, so it is not enough to do this once.
  { name: 'seal-server-seeds', everySeconds: 600, run: sealSeeds },
]
