// The rows by which processes agree who runs a job: one statement takes it, and only one wins.

import { type Queryable, statement } from '../db/database.ts'

// Whose clock was set back, or is not ahead any more, must not wait for a moment far away. The
// minute keeps out processes that read their clocks a moment before another took the same run.
const isDue = `(next_run_at <= $1
  OR next_run_at > $1 + every_seconds * interval '1 second' + interval '1 minute')`
const isFree = '(lease_until IS NULL OR lease_until < clock_timestamp())'

const register = statement(
  'register_job',
  `INSERT INTO jobs (name, every_seconds, next_run_at) VALUES ($1, $2, $3)
   ON CONFLICT (name) DO UPDATE SET every_seconds = EXCLUDED.every_seconds
   WHERE jobs.every_seconds <> EXCLUDED.every_seconds`,
)
const readDue = statement('read_due_jobs', `SELECT name FROM jobs WHERE ${isDue} AND ${isFree}`)
const take = statement(
  'take_job',
  `UPDATE jobs SET lease = $3, lease_until = clock_timestamp() + $4 * interval '1 second',
     last_started_at = $1, next_run_at = $1 + every_seconds * interval '1 second'
   WHERE name = $2 AND ${isDue} AND ${isFree} RETURNING name`,
)
const prolong = statement(
  'prolong_job',
  `UPDATE jobs SET lease_until = clock_timestamp() + $3 * interval '1 second'
   WHERE name = $1 AND lease = $2 RETURNING name`,
)
const end = statement(
  'end_job',
  `UPDATE jobs SET lease = NULL, lease_until = NULL, last_finished_at = $3, last_duration_ms = $4,
     last_failure = $5, failures_in_row = CASE WHEN $5::text IS NULL THEN 0
       ELSE failures_in_row + 1 END,
     last_succeeded_at = CASE WHEN $5::text IS NULL THEN $3 ELSE last_succeeded_at END
   WHERE name = $1 AND lease = $2`,
)

export interface JobRun {
  readonly name: string
  readonly lease: string
}

/** Makes the job's row when there is none; a new job is due at once. */
export async function registerJob(
  db: Queryable,
  name: string,
  everySeconds: number,
  now: Date,
): Promise<void> {
  await db.run(register, [name, everySeconds, now])
}

/** Names of the jobs that are due and that nobody works on. */
export async function dueJobs(db: Queryable, now: Date): Promise<string[]> {
  return (await db.run<{ name: string }>(readDue, [now])).map(({ name }) => name)
}

/** True for the one process that may run the job now, for `leaseSeconds` unless it prolongs. */
export async function takeJob(
  db: Queryable,
  run: JobRun,
  now: Date,
  leaseSeconds: number,
): Promise<boolean> {
  return (await db.run(take, [now, run.name, run.lease, leaseSeconds])).length === 1
}

/** False when the lease has gone to another run. */
export async function prolongJob(
  db: Queryable,
  run: JobRun,
  leaseSeconds: number,
): Promise<boolean> {
  return (await db.run(prolong, [run.name, run.lease, leaseSeconds])).length === 1
}

/** Gives the job back with how it went; `failure` is undefined after a good run. */
export async function endJob(
  db: Queryable,
  run: JobRun,
  now: Date,
  durationMillis: number,
  failure: string | undefined,
): Promise<void> {
  await db.run(end, [run.name, run.lease, now, Math.round(durationMillis), failure ?? null])
}
