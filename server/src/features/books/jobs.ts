// What the overview does by the clock: checking the books, and watching that they are checked.

import type { Job } from '../../adapters/jobs/job.ts'
import { checkBooks } from './check-books.ts'
import { watchBooks } from './watch-books.ts'

export const overviewJobs: readonly Job[] = [
  { name: 'overview-check-books', everySeconds: 60, run: checkBooks },
  { name: 'overview-watch-books', everySeconds: 300, run: watchBooks },
]
