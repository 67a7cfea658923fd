// What signing in does by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { clearExpired } from './clear-expired.ts'

export const authJobs: readonly Job[] = [
  { name: 'auth-clear-expired', everySeconds: 600, run: clearExpired },
]
