// What is done to the catalogue by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { removeDeleted } from './remove-deleted.ts'

export const catalogueJobs: readonly Job[] = [
  {
    name: 'catalogue-remove-deleted',
    everySeconds: 86_400,
    async run(world) {
      const removed = await removeDeleted(world)
      if (removed > 0) world.log.info({ removed }, 'deleted parts of the catalogue were removed')
    },
  },
]
