// What delivery does by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { eraseOldDeliveries } from './deliveries.ts'

export const deliveryJobs: readonly Job[] = [
  {
    name: 'delivery-erase-old-contacts',
    everySeconds: 3_600,
    run: async (deps) => {
      await eraseOldDeliveries(deps)
    },
  },
]
