// Tidying up what belongs to no feature, by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { clearOldKeys } from './clear-old-keys.ts'
import { vacuumEmbedded } from './vacuum-embedded.ts'

export const tidyingJobs: readonly Job[] = [
  { name: 'idempotency-clear-old-keys', everySeconds: 3_600, run: clearOldKeys },
  { name: 'database-tend', everySeconds: 60, run: vacuumEmbedded },
]
