// Jobs of several processes on one PostgreSQL server: each run belongs to one of them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../src/adapters/db/postgres.ts'
import {
  createScheduler,
  endJob,
  type Job,
  registerJob,
  takeJob,
} from '../src/adapters/jobs/scheduler.ts'
import { createTestDeps, type TestDeps } from './deps.ts'
import { hasPostgres, postgresTestDatabase } from './test-database.ts'

describe.skipIf(!hasPostgres)('three processes on one database', () => {
  let worlds: TestDeps[]
  let drop: () => Promise<void>
  const all = () => worlds
  beforeAll(async () => {
    const made = await postgresTestDatabase()
    const more = [1, 2].map(() =>
      openPostgres({ url: made.url, connectionsMax: 4, onError: () => undefined }),
    )
    worlds = await Promise.all([made.db, ...more].map((db) => createTestDeps(db)))
    drop = made.drop
  }, 60_000)
  afterAll(async () => {
    for (const deps of worlds.slice(1)) await deps.close()
    await worlds[0]?.app.close()
    await drop()
  })

  it('run a job once a tick: 100 ticks, 100 runs', async () => {
    let runs = 0
    const job: Job = {
      name: 'race-tick',
      everySeconds: 10,
      run: async () => {
        runs += 1
      },
    }
    const schedulers = all().map(({ deps }) => createScheduler(deps, [job]))
    for (let tick = 1; tick <= 100; tick += 1) {
      await Promise.all(schedulers.map((scheduler) => scheduler.runDueJobs()))
      expect(runs).toBe(tick)
      for (const { clock } of all()) clock.advance(10.5)
    }
  }, 60_000)

  it('do not take again what has just ended with a clock that was read before', async () => {
    const { db } = all()[0]!
    const now = new Date('2026-03-01T12:00:00.000Z')
    const before = new Date(now.getTime() - 5)
    const name = 'race-clock'
    await registerJob(db, name, 10, now)
    expect(await takeJob(db, now, name, 'first', 60)).toBe(true)
    await endJob(db, { name, lease: 'first', now, durationMillis: 1, failure: null })
    expect(await takeJob(db, before, name, 'second', 60)).toBe(false)
    const setBack = new Date(now.getTime() - 3_600_000)
    expect(await takeJob(db, setBack, name, 'third', 60)).toBe(true)
  })

  it('leave a job to the process that holds it, however often it is due', async () => {
    let running = 0
    let runningMax = 0
    const job: Job = {
      name: 'race-long',
      everySeconds: 1,
      run: async () => {
        running += 1
        runningMax = Math.max(runningMax, running)
        await new Promise((resolve) => setTimeout(resolve, 150))
        running -= 1
      },
    }
    const schedulers = all().map(({ deps }) => createScheduler(deps, [job]))
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(schedulers.map((scheduler) => scheduler.runDueJobs()))
      for (const { clock } of all()) clock.advance(5)
    }
    expect(runningMax).toBe(1)
  }, 30_000)

  it('keep the lease of a long run', async () => {
    let runs = 0
    let end = () => {}
    const job: Job = {
      name: 'race-dead',
      everySeconds: 1,
      run: async () => {
        runs += 1
        if (runs === 1) await new Promise<void>((resolve) => (end = resolve))
      },
    }
    const leasedUntil = async () => {
      const [row] = await one!.rows<{ until: Date }>(
        `SELECT lease_until AS until FROM jobs WHERE name = 'race-dead'`,
      )
      return row?.until.getTime() ?? 0
    }
    const [one, two] = all()
    const first = createScheduler(one!.deps, [job], { leaseSeconds: 1 })
    const second = createScheduler(two!.deps, [job], { leaseSeconds: 1 })
    const long = first.runDueJobs()
    await expect.poll(() => runs).toBe(1)
    const taken = await leasedUntil()
    // Once it was renewed past the second that it was taken for, only that keeps the others away.
    await expect.poll(leasedUntil, { timeout: 10_000 }).toBeGreaterThan(taken + 1000)
    two!.clock.advance(5)
    await second.runDueJobs()
    expect(runs).toBe(1)
    end()
    await long
  }, 30_000)

  it('start over what a dead process has left, however far its next turn is', async () => {
    let runs = 0
    const [world] = all()
    const job: Job = {
      name: 'race-daily',
      everySeconds: 86_400,
      run: async () => {
        runs += 1
      },
    }
    await registerJob(world!.db, job.name, job.everySeconds, world!.clock.now())
    const now = world!.clock.now()
    expect(await takeJob(world!.db, now, job.name, 'of-a-dead-process', 1)).toBe(true)
    const scheduler = createScheduler(world!.deps, [job])
    const startedOver = async () => {
      await scheduler.runDueJobs()
      return runs
    }
    await expect.poll(startedOver, { timeout: 10_000 }).toBe(1)
    // Over and given back, it waits for its turn.
    expect(await startedOver()).toBe(1)
  }, 30_000)
})
