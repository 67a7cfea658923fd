// The rows by which processes agree who runs a job: one statement takes it, and only one wins.

import type { Queryable } from '../db/database.ts'
import { existsQuery, valuesQuery, writeQuery } from '../db/queries.ts'

// Whose clock was set back, or is not ahead any more, must not wait for a moment far away. The
// minute keeps out processes that read their clocks a moment before another took the same run.
// A lease that was not given back is that of a run that was cut off: it is started over.
const isDue = `(next_run_at <= $1 OR lease IS NOT NULL
  OR next_run_at > $1 + every_seconds * interval '1 second' + interval '1 minute')`
const isFree = '(lease_until IS NULL OR lease_until < clock_timestamp())'

/** Makes the job's row when there is none; a new job is due at once. */
export const registerJob = writeQuery<[name: string, everySeconds: number, now: Date]>(
  'register_job',
  `INSERT INTO jobs (name, every_seconds, next_run_at) VALUES ($1, $2, $3)
   ON CONFLICT (name) DO UPDATE SET every_seconds = EXCLUDED.every_seconds
   WHERE jobs.every_seconds <> EXCLUDED.every_seconds`,
)

/** Names of the jobs that are due and that nobody works on. */
export const dueJobs = valuesQuery<{ name: string }, [now: Date]>(
  'read_due_jobs',
  `SELECT name FROM jobs WHERE ${isDue} AND ${isFree}`,
)

export interface JobRun {
  readonly name: string
  readonly lease: string
}

const take = existsQuery<[now: Date, name: string, lease: string, leaseSeconds: number]>(
  'take_job',
  `UPDATE jobs SET lease = $3, lease_until = clock_timestamp() + $4 * interval '1 second',
     last_started_at = $1, next_run_at = $1 + every_seconds * interval '1 second'
   WHERE name = $2 AND ${isDue} AND ${isFree} RETURNING name`,
)

/** True for the one process that may run the job now, for `leaseSeconds` unless it prolongs. */
export const takeJob = (db: Queryable, run: JobRun, now: Date, leaseSeconds: number) =>
  take(db, now, run.name, run.lease, leaseSeconds)

/** False when the lease has gone to another run. */
export const prolongJob = existsQuery<[run: JobRun & { readonly leaseSeconds: number }]>(
  'prolong_job',
  `UPDATE jobs SET lease_until = clock_timestamp() + :leaseSeconds * interval '1 second'
   WHERE name = :name AND lease = :lease RETURNING name`,
)

interface EndOfRun extends JobRun {
  readonly now: Date
  /** Whole ones. */
  readonly durationMillis: number
  /** Null after a good run. */
  readonly failure: string | null
}

/** Gives the job back with how it went. */
export const endJob = writeQuery<[end: EndOfRun]>(
  'end_job',
  `UPDATE jobs SET lease = NULL, lease_until = NULL, last_finished_at = :now,
     last_duration_ms = :durationMillis, last_failure = :failure,
     failures_in_row = CASE WHEN :failure::text IS NULL THEN 0 ELSE failures_in_row + 1 END,
     last_succeeded_at = CASE WHEN :failure::text IS NULL THEN :now ELSE last_succeeded_at END
   WHERE name = :name AND lease = :lease`,
)
