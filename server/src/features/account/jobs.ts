// What signing in does by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { clearExpired, validateSignIns } from './validate-sign-ins.ts'

export const authJobs: readonly Job[] = [
  { name: 'auth-clear-expired', everySeconds: 600, run: clearExpired },
  { name: 'auth-validate-sign-ins', everySeconds: 60, run: validateSignIns },
]
