// What delivery does by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { moveDueShipments } from './change-shipments.ts'
import { eraseOldDeliveries } from './deliveries.ts'

export const deliveryJobs: readonly Job[] = [
  {
    name: 'delivery-erase-old-contacts',
    everySeconds: 3_600,
    run: async (deps) => {
      await eraseOldDeliveries(deps)
    },
  },
  { name: 'delivery-move-due-shipments', everySeconds: 300, run: moveDueShipments },
]
