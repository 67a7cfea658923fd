// Tidying up what belongs to no feature, by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { clearOldKeys } from './clear-old-keys.ts'

export const tidyingJobs: readonly Job[] = [
  { name: 'idempotency-clear-old-keys', everySeconds: 3_600, run: clearOldKeys },
]
