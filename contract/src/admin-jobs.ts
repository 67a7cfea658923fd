// The scheduled jobs, as staff see them.

import * as z from 'zod/mini'
import { Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'

export const JobState = z.object({
  name: z.string(),
  everySeconds: z.int(),
  isRunning: z.boolean(),
  nextRunAt: Timestamp,
  lastStartedAt: z.nullable(Timestamp),
  lastFinishedAt: z.nullable(Timestamp),
  lastSucceededAt: z.nullable(Timestamp),
  lastDurationMillis: z.nullable(z.int()),
  /** Why the last run failed, null after a good one. */
  lastFailure: z.nullable(z.string()),
  failuresInRow: z.int(),
})
export type JobState = z.infer<typeof JobState>

export const JobList = z.object({
  /** The server's time, to compare the other times with. */
  now: Timestamp,
  jobs: z.array(JobState),
})
export type JobList = z.infer<typeof JobList>

export const adminJobsContract = {
  list: endpoint('staff', 'GET', '/api/admin/jobs', {
    summary: 'Lists every job with its last and next run, failing ones first.',
    response: JobList,
  }),
}
