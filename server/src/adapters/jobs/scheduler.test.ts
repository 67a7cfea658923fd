// The scheduler on the embedded database: what is due, how it went, what stops it.

import { describe, expect, it, vi } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'
import { createScheduler, type Job } from './scheduler.ts'

const t = useTestDeps()
interface JobRow extends Record<string, unknown> {
  readonly last_started_at: Date
  readonly next_run_at: Date
}
const row = async (name: string) =>
  (await t.rows<JobRow>('SELECT * FROM jobs WHERE name = $1', [name]))[0] as JobRow

function counting(name: string, everySeconds: number, work = async () => {}) {
  const runs: number[] = []
  const job: Job = {
    name,
    everySeconds,
    run: async () => {
      runs.push(t.clock.now().getTime())
      await work()
    },
  }
  return { job, runs }
}

describe('due jobs', () => {
  it('run at once, and again when their time has passed', async () => {
    const { job, runs } = counting('tick', 30)
    const scheduler = createScheduler(t.deps, [job])
    await scheduler.runDueJobs()
    await scheduler.runDueJobs()
    expect(runs).toHaveLength(1)
    t.clock.advance(31)
    await scheduler.runDueJobs()
    expect(runs).toHaveLength(2)
  })

  it('run once however much time has passed', async () => {
    const { job, runs } = counting('once', 30)
    const scheduler = createScheduler(t.deps, [job])
    await scheduler.runDueJobs()
    t.clock.advance(86_400)
    await scheduler.runDueJobs()
    expect(runs).toHaveLength(2)
  })

  it('run one after the other, in their order', async () => {
    const seen: string[] = []
    const job = (name: string): Job => ({
      name,
      everySeconds: 60,
      run: async () => {
        seen.push(`${name} begins`)
        await new Promise((resolve) => setTimeout(resolve, 5))
        seen.push(`${name} ends`)
      },
    })
    await createScheduler(t.deps, [job('zebra'), job('ant')]).runDueJobs()
    expect(seen).toEqual(['zebra begins', 'zebra ends', 'ant begins', 'ant ends'])
  })

  it('do not wait for a moment far away when the clock is behind', async () => {
    const { job, runs } = counting('behind', 60)
    const scheduler = createScheduler(t.deps, [job])
    await scheduler.runDueJobs()
    await t.rows(`UPDATE jobs SET next_run_at = now() + interval '10 days'`)
    await scheduler.runDueJobs()
    expect(runs).toHaveLength(2)
  })

  it('follow a new interval', async () => {
    await createScheduler(t.deps, [counting('paced', 600).job]).runDueJobs()
    const { job, runs } = counting('paced', 20)
    const scheduler = createScheduler(t.deps, [job])
    t.clock.advance(21)
    await scheduler.runDueJobs()
    expect(runs).toHaveLength(1)
    expect((await row('paced'))['every_seconds']).toBe(20)
  })
})

describe('a run', () => {
  it('leaves behind when it was, how long it took and when it is next', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    const slow = counting('slow', 60, async () => void vi.advanceTimersByTime(30))
    const start = t.clock.now()
    await createScheduler(t.deps, [slow.job]).runDueJobs()
    const kept = await row('slow')
    expect(kept).toMatchObject({ lease: null, lease_until: null, last_failure: null })
    expect(kept['last_duration_ms']).toBe(30)
    expect(kept.last_started_at).toEqual(start)
    expect(kept.next_run_at.getTime()).toBe(start.getTime() + 60_000)
    expect(kept['last_succeeded_at']).toEqual(kept['last_finished_at'])
  })

  it('that fails keeps its reason, stops nobody else, and is tried again when next due', async () => {
    let isBroken = true
    const broken = counting('broken', 60, async () => {
      if (isBroken) throw new Error('the moon\nis full')
    })
    const healthy = counting('healthy', 60)
    const scheduler = createScheduler(t.deps, [broken.job, healthy.job])
    await scheduler.runDueJobs()
    t.clock.advance(61)
    await scheduler.runDueJobs()
    expect(healthy.runs).toHaveLength(2)
    expect(await row('broken')).toMatchObject({
      last_failure: 'the moon is full',
      failures_in_row: 2,
      last_succeeded_at: null,
      lease: null,
    })
    isBroken = false
    t.clock.advance(61)
    await scheduler.runDueJobs()
    expect(await row('broken')).toMatchObject({ last_failure: null, failures_in_row: 0 })
  })

  it('that hangs is given up and counts as failed', async () => {
    let release = () => {}
    const hung = counting('hung', 60, () => new Promise((resolve) => (release = resolve)))
    const scheduler = createScheduler(t.deps, [hung.job], { runMillisMax: 30, graceMillis: 10 })
    void scheduler.runDueJobs()
    await expect.poll(async () => (await row('hung'))?.['failures_in_row']).toBe(1)
    expect((await row('hung'))['last_failure']).toBe('took longer than 30 ms')
    release()
    await scheduler.stop()
  })

  it('is not started a second time while it runs here', async () => {
    let release = () => {}
    const long = counting('long', 1, () => new Promise((resolve) => (release = resolve)))
    const scheduler = createScheduler(t.deps, [long.job])
    const first = scheduler.runDueJobs()
    await expect.poll(() => long.runs.length).toBe(1)
    t.clock.advance(5)
    const second = scheduler.runDueJobs()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(long.runs).toHaveLength(1)
    release()
    await expect.poll(() => long.runs.length).toBe(2)
    release()
    await Promise.all([first, second])
  })
})

describe('the scheduler', () => {
  it('looks for due jobs by itself once started, and no more once stopped', async () => {
    const { job, runs } = counting('alone', 1)
    const scheduler = createScheduler(t.deps, [job], { lookEveryMillis: 20 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(runs).toHaveLength(0)
    scheduler.start()
    for (const count of [1, 2]) {
      await expect.poll(() => runs.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(count)
      t.clock.advance(1)
    }
    await scheduler.stop()
    const before = runs.length
    t.clock.advance(100)
    await scheduler.runDueJobs()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(runs).toHaveLength(before)
  })

  it('waits for what is under way before it stops, but not for ever', async () => {
    let isDone = false
    const short = counting('short', 60, async () => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      isDone = true
    })
    const patient = createScheduler(t.deps, [short.job])
    void patient.runDueJobs()
    await expect.poll(() => short.runs.length).toBe(1)
    await patient.stop()
    expect(isDone).toBe(true)

    const endless = counting('endless', 60, () => new Promise(() => {}))
    const hurried = createScheduler(t.deps, [endless.job], { graceMillis: 30 })
    void hurried.runDueJobs()
    await expect.poll(() => endless.runs.length).toBe(1)
    await hurried.stop()
  })
})
