// Runs jobs when they are due, each in one process at a time, and keeps how it went.

import { withinMillis } from '../clock/within.ts'
import type { Deps } from '../deps.ts'
import { becauseOf } from '../log/because-of.ts'
import { describeError } from '../log/redact-error.ts'
import type { Job } from './job.ts'
import { dueJobs, endJob, type JobRun, prolongJob, registerJob, takeJob } from './job-leases.ts'

export interface Scheduler {
  /** Begins to look for due jobs, once a second. */
  start(): void
  /** Runs every job that is due by its clock, one after the other, and waits for them. */
  runDueJobs(): Promise<void>
  /** Takes no more jobs and waits for those under way, at most `graceMillis`. */
  stop(): Promise<void>
}

export interface SchedulerOptions {
  /** A job whose process has died is taken over after this time. */
  readonly leaseSeconds: number
  /** A run that takes longer counts as failed and loses its lease. */
  readonly runMillisMax: number
  readonly graceMillis: number
  readonly lookEveryMillis: number
}

const defaults: SchedulerOptions = {
  leaseSeconds: 60,
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
  options: Partial<SchedulerOptions> = {},
): Scheduler {
  const { leaseSeconds, runMillisMax, graceMillis, lookEveryMillis } = { ...defaults, ...options }
  const prolongEveryMillis = (leaseSeconds * 1000) / 3
  const underWay = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  let registered: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let isLooking = false

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
    if (!(await takeJob(deps.db, taken, deps.clock.now(), leaseSeconds))) return
    const startMillis = performance.now()
    const keeping = setInterval(() => {
      prolongJob(deps.db, { ...taken, leaseSeconds }).catch((error: unknown) => {
        deps.log.warn({ err: error, job: job.name, ...becauseOf(error) }, 'lease not prolonged')
      })
    }, prolongEveryMillis)
    const work = Promise.resolve().then(() => job.run(deps, stopping.signal))
    const failure = await withinMillis(work, runMillisMax).then(
      () => null,
      (error: unknown) => {
        deps.log.error({ err: error, job: job.name, ...becauseOf(error) }, 'job failed')
        return describeError(error).slice(0, failureMax)
      },
    )
    clearInterval(keeping)
    const durationMillis = Math.round(performance.now() - startMillis)
    await endJob(deps.db, { ...taken, now: deps.clock.now(), durationMillis, failure })
    // A run that was given up must not meet its successor in this process.
    await work.catch(() => undefined)
  }

  function look(): void {
    if (isLooking || isStopped) return
    isLooking = true
    due()
      .then((found) => {
        if (isStopped) return
        for (const job of found) run(job).catch(report)
      })
      .catch(report)
      .finally(() => {
        isLooking = false
      })
  }

  function report(error: unknown): void {
    if (isStopped) return
    deps.log.warn({ err: error, ...becauseOf(error) }, 'jobs could not be looked at')
  }

  return {
    start() {
      if (isStopped || timer !== undefined) return
      timer = setInterval(look, lookEveryMillis)
      look()
    },
    async runDueJobs() {
      // What began before the clock was moved has not seen the new time.
      await withinMillis(Promise.allSettled(underWay.values()), patienceMillis).catch(report)
      for (const job of isStopped ? [] : await due()) await run(job)
    },
    async stop() {
      isStopped = true
      stopping.abort()
      clearInterval(timer)
      await withinMillis(Promise.allSettled(underWay.values()), graceMillis).catch(() => {
        deps.log.warn({ jobs: [...underWay.keys()] }, 'jobs did not end in time')
      })
    },
  }
}
