// The jobs of the product by their names, for tests that run some of them whatever the clock says.

import type { Job } from '../src/adapters/jobs/scheduler.ts'
import { productJobs } from '../src/jobs.ts'

/** Those whose names begin with one of these. */
export const jobsNamed = (...starts: readonly string[]): readonly Job[] =>
  productJobs().filter(({ name }) => starts.some((start) => name.startsWith(start)))
