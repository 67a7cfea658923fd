// What staff see of the jobs.

import type { JobList } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'

const jobsMax = 200

const readJobs = statement(
  'read_jobs',
  `SELECT name, every_seconds AS "everySeconds",
     coalesce(lease_until > clock_timestamp(), false) AS "isRunning",
     next_run_at AS "nextRunAt", last_started_at AS "lastStartedAt",
     last_finished_at AS "lastFinishedAt", last_succeeded_at AS "lastSucceededAt",
     last_duration_ms AS "lastDurationMillis", last_failure AS "lastFailure",
     failures_in_row AS "failuresInRow"
   FROM jobs ORDER BY failures_in_row = 0, name LIMIT ${jobsMax}`,
)

interface JobRow extends Omit<JobList['jobs'][number], 'nextRunAt' | `last${string}At`> {
  readonly nextRunAt: Date
  readonly lastStartedAt: Date | null
  readonly lastFinishedAt: Date | null
  readonly lastSucceededAt: Date | null
  readonly lastDurationMillis: number | null
  readonly lastFailure: string | null
}

/** Every job, those that fail first. */
export async function jobList(db: Queryable, now: Date): Promise<JobList> {
  const rows = await db.run<JobRow>(readJobs, [])
  const jobs = rows.map((row) => ({
    ...row,
    nextRunAt: row.nextRunAt.toISOString(),
    lastStartedAt: row.lastStartedAt?.toISOString() ?? null,
    lastFinishedAt: row.lastFinishedAt?.toISOString() ?? null,
    lastSucceededAt: row.lastSucceededAt?.toISOString() ?? null,
  }))
  return { now: now.toISOString(), jobs }
}
