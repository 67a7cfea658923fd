// What the ledger does by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { countPeople } from './count-people.ts'

export const ledgerJobs: readonly Job[] = [
  { name: 'ledger-count-people', everySeconds: 5, run: (deps) => countPeople(deps) },
]
