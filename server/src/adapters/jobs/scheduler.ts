// Scheduled jobs: what a job is, who holds its lease, and a scheduler that runs each due job in one
// process at a time and records how it went.

import { sharedRuns } from '../../shared/turns.ts'
import { withinMillis } from '../clock/clock.ts'
import { existsQuery, valuesQuery, writeQuery } from '../db/queries.ts'
import type { Deps } from '../deps.ts'
import { describeError } from '../log/redact-error.ts'

/**
 * Work that is done again and again, by one process at a time however many run on one database. A
 * run that was cut off is started over after its lease, so it must be harmless to run twice.
 */
export interface Job {
  /** Names the job's row, so a name must never change: kebab-case, `feature-what-it-does`. */
  readonly name: string
  /** Seconds from the start of one run to the start of the next. */
  readonly everySeconds: number
  /**
   * Throws when the run failed; the scheduler keeps the reason and tries again when next due.
   * `stopping` is aborted when the process is about to end: long work ends early then.
   */
  run(deps: Deps, stopping?: AbortSignal): Promise<unknown>
}

export type Scheduler = ReturnType<typeof createScheduler>

const defaults = {
  /** A job whose process has died is taken over after this time. */
  leaseSeconds: 60,
  /** A run that takes longer counts as failed and loses its lease. */
  runMillisMax: 600_000,
  graceMillis: 3_000,
  lookEveryMillis: 1_000,
}
const failureMax = 500
const patienceMillis = 20_000

/** Nothing runs before `start` or `runDueJobs` is called. Names of jobs must be unique. */
export function createScheduler(
  deps: Deps,
  jobs: readonly Job[],
  options: Partial<typeof defaults> = {},
) {
  const { leaseSeconds, runMillisMax, graceMillis, lookEveryMillis } = { ...defaults, ...options }
  const prolongEveryMillis = (leaseSeconds * 1000) / 3
  const underWay = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  let registered: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function registerAll(): Promise<void> {
    for (const { name, everySeconds } of jobs) {
      await registerJob(deps.db, name, everySeconds, deps.clock.now())
    }
  }

  async function due(): Promise<readonly Job[]> {
    registered ??= registerAll()
    await registered.catch((error: unknown) => {
      registered = undefined
      throw error
    })
    const names = new Set(await dueJobs(deps.db, deps.clock.now()))
    return jobs.filter(({ name }) => names.has(name))
  }

  /** Runs the job here unless it runs here already, or another process was quicker. */
  function run(job: Job): Promise<void> {
    const current = underWay.get(job.name)
    if (current !== undefined) return current
    const started = runOnce(job).finally(() => underWay.delete(job.name))
    underWay.set(job.name, started)
    return started
  }

  async function runOnce(job: Job): Promise<void> {
    const taken: JobRun = { name: job.name, lease: deps.random.uuid() }
    if (!(await takeJob(deps.db, deps.clock.now(), job.name, taken.lease, leaseSeconds))) return
    const startMillis = performance.now()
    const keeping = setInterval(() => {
      prolongJob(deps.db, { ...taken, leaseSeconds }).catch((error: unknown) => {
        deps.log.warn({ err: error, job: job.name }, 'lease not prolonged')
      })
    }, prolongEveryMillis)
    const work = Promise.resolve().then(() => job.run(deps, stopping.signal))
    const failure = await withinMillis(work, runMillisMax).then(
      () => null,
      (error: unknown) => {
        deps.log.error({ err: error, job: job.name }, 'job failed')
        return describeError(error).slice(0, failureMax)
      },
    )
    clearInterval(keeping)
    const durationMillis = Math.round(performance.now() - startMillis)
    await endJob(deps.db, { ...taken, now: deps.clock.now(), durationMillis, failure })
    // A run that was given up must not meet its successor in this process.
    await work.catch(() => undefined)
  }

  const look = sharedRuns(async () => {
    try {
      for (const job of await due()) if (!isStopped) run(job).catch(report)
    } catch (error) {
      report(error)
    }
  })

  function report(error: unknown): void {
    if (isStopped) return
    deps.log.warn({ err: error }, 'jobs could not be looked at')
  }

  return {
    /** Begins to look for due jobs, once a second. */
    start(): void {
      if (isStopped || timer !== undefined) return
      timer = setInterval(() => void look(), lookEveryMillis)
      void look()
    },
    /** Runs every job that is due by its clock, one after the other, and waits for them. */
    async runDueJobs(): Promise<void> {
      // What began before the clock was moved has not seen the new time.
      await withinMillis(Promise.allSettled(underWay.values()), patienceMillis).catch(report)
      for (const job of isStopped ? [] : await due()) await run(job)
    },
    /** Takes no more jobs and waits for those under way, at most `graceMillis`. */
    async stop(): Promise<void> {
      isStopped = true
      stopping.abort()
      clearInterval(timer)
      await withinMillis(Promise.allSettled(underWay.values()), graceMillis).catch(() => {
        deps.log.warn({ jobs: [...underWay.keys()] }, 'jobs did not end in time')
      })
    },
  }
}

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

interface JobRun {
  readonly name: string
  readonly lease: string
}

/** True for the one process that may run the job now, for `leaseSeconds` unless it prolongs. */
export const takeJob = existsQuery<[now: Date, name: string, lease: string, leaseSeconds: number]>(
  'take_job',
  `UPDATE jobs SET lease = $3, lease_until = clock_timestamp() + $4 * interval '1 second',
     last_started_at = $1, next_run_at = $1 + every_seconds * interval '1 second'
   WHERE name = $2 AND ${isDue} AND ${isFree} RETURNING name`,
)

/** Does nothing when the lease has gone to another run. */
const prolongJob = writeQuery<[run: JobRun & { readonly leaseSeconds: number }]>(
  'prolong_job',
  `UPDATE jobs SET lease_until = clock_timestamp() + :leaseSeconds * interval '1 second'
   WHERE name = :name AND lease = :lease`,
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
