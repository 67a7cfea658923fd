// The staff page of jobs, and the tidying that belongs to no feature.

import type { JobList } from '@redpack/contract'
import { describe, expect, it } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'
import { createScheduler } from '../../adapters/jobs/scheduler.ts'
import { productJobs } from '../../jobs.ts'
import { clearExpired } from '../account/validate-sign-ins.ts'
import { clearOldKeys } from './upkeep.ts'

const t = useTestDeps({
  TWITCH_API_URL: 'http://127.0.0.1:9',
  TWITCH_ID_URL: 'http://127.0.0.1:9',
})

describe('GET /api/admin/jobs', () => {
  it('shows every job with its last run, those that fail first', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    expect((await boss.read<JobList>('/api/admin/jobs')).jobs).toEqual([])
    const failing = {
      name: 'zz-failing',
      everySeconds: 60,
      run: async () => {
        throw new Error('no luck')
      },
    }
    await createScheduler(t.deps, [...productJobs(), failing]).runDueJobs()
    const { jobs, now } = await boss.read<JobList>('/api/admin/jobs')
    expect(jobs).toHaveLength(productJobs().length + 1)
    expect(jobs.find(({ name }) => name === 'zz-failing')).toMatchObject({
      lastFailure: 'no luck',
      failuresInRow: 1,
      lastSucceededAt: null,
    })
    const healthy = jobs.findIndex(({ failuresInRow }) => failuresInRow === 0)
    expect(jobs.slice(healthy).every(({ failuresInRow }) => failuresInRow === 0)).toBe(true)
    expect(jobs.find(({ name }) => name === 'draw-log-append')).toEqual({
      name: 'draw-log-append',
      everySeconds: 3,
      isRunning: false,
      nextRunAt: expect.any(String),
      lastStartedAt: expect.any(String),
      lastFinishedAt: expect.any(String),
      lastSucceededAt: expect.any(String),
      lastDurationMillis: expect.any(Number),
      lastFailure: null,
      failuresInRow: 0,
    })
    expect(Date.parse(now)).toBeGreaterThan(0)
  })
})

describe('the jobs of the product', () => {
  it('have names of their own, and sensible intervals', () => {
    const names = productJobs().map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, everySeconds } of productJobs()) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)+$/)
      expect(everySeconds).toBeGreaterThanOrEqual(1)
    }
  })

  it('keep idempotency keys for at least a day, and no expired session', async () => {
    const ana = await t.person('ana')
    const add = (key: string, hours: number) =>
      t.rows(
        `INSERT INTO idempotency_keys (user_id, route, key, input_hash, created_at)
         VALUES ($1, 'POST /x', $2, 'h', $3)`,
        [ana.id, key, new Date(t.clock.now().getTime() - hours * 3_600_000)],
      )
    await add('fresh', 25)
    await add('old', 49)
    await clearOldKeys(t.deps)
    expect(await t.rows('SELECT key FROM idempotency_keys')).toEqual([{ key: 'fresh' }])
    t.clock.advance(49 * 3_600)
    await t.rows(
      `INSERT INTO sign_in_attempts (state_hash, provider, browser_hash, nonce, expires_at)
       VALUES ('s', 'twitch', 'b', 'n', $1)`,
      [new Date(t.clock.now().getTime() - 1_000)],
    )
    await clearExpired(t.deps)
    expect(await t.rows('SELECT 1 FROM sessions')).toEqual([])
    expect(await t.rows('SELECT 1 FROM sign_in_attempts')).toEqual([])
  })
})
