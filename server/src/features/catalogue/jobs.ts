// What is done to the catalogue by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { removeDeleted } from './remove-deleted.ts'

export const catalogueJobs: readonly Job[] = [
  {
    name: 'catalogue-remove-deleted',
    everySeconds: 86_400,
    async run(deps) {
      const removed = await removeDeleted(deps)
      if (removed > 0) deps.log.info({ removed }, 'deleted parts of the catalogue were removed')
    },
  },
]
