// What the overview does by the clock: checking the books, and watching that they are checked.

import type { Job } from '../../adapters/jobs/job.ts'
import { checkBooks } from './check-books.ts'
import { checkNewRows } from './check-new-rows.ts'
import { sumHistories } from './sum-histories.ts'
import { watchBooks } from './watch-books.ts'

export const overviewJobs: readonly Job[] = [
  {
    name: 'overview-sum-histories',
    everySeconds: 5,
    run: (deps, stopping) => sumHistories(deps, stopping),
  },
  { name: 'overview-check-books', everySeconds: 60, run: checkBooks },
  { name: 'overview-look-at-new-rows', everySeconds: 60, run: checkNewRows },
  { name: 'overview-watch-books', everySeconds: 300, run: watchBooks },
]
