// The control calls on time and chance.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type SandboxHost, sandboxHost } from './sandbox-host.fixture.ts'

let host: SandboxHost
beforeAll(async () => {
  host = await sandboxHost()
})
beforeEach(() => {
  host.calls.length = 0
  host.isLoopback = true
})
afterAll(() => host.app.close())

const post = (path: string, payload: unknown) =>
  host.app.inject({ method: 'POST', url: `/sandbox/control/${path}`, payload: payload as object })
const now = async () =>
  Date.parse((await host.app.inject('/sandbox/control/clock')).json<{ now: string }>().now)

describe('the clock call', () => {
  it('moves time, runs what is due, and answers the new time', async () => {
    const before = await now()
    const answer = await post('clock', { advanceSeconds: 3_600.5 })
    expect(answer.statusCode).toBe(200)
    expect(answer.json().now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(host.calls).toEqual(['advance 3600.5', 'jobs'])
    expect((await now()) - before).toBeGreaterThanOrEqual(3_600_500)
  })

  it.each([{}, { advanceSeconds: -1 }, { advanceSeconds: '5' }, { advanceSeconds: 1e12 }, []])(
    'refuses %j and leaves time alone',
    async (payload) => {
      expect((await post('clock', payload)).statusCode).toBe(400)
      expect(host.calls).toEqual([])
    },
  )
})

describe('the dice call', () => {
  const seed = 'ab'.repeat(32)

  it('loads the next server seeds, and resets', async () => {
    const loaded = await post('dice', { serverSeeds: [seed, seed.toUpperCase()] })
    expect(loaded.json()).toEqual({ loaded: 2 })
    expect((await post('dice', { reset: true })).json()).toEqual({ loaded: 0 })
    expect(host.calls).toEqual([`load ${seed},${seed}`, 'reset'])
  })

  it.each([{}, { serverSeeds: 'ab' }, { serverSeeds: ['short'] }, { serverSeeds: [5] }])(
    'refuses %j',
    async (payload) => {
      expect((await post('dice', payload)).statusCode).toBe(400)
      expect(host.calls).toEqual([])
    },
  )
})

describe('callers from elsewhere', () => {
  it('reach no control call', async () => {
    host.isLoopback = false
    const answers = [
      await host.app.inject('/sandbox/control/clock'),
      await post('clock', { advanceSeconds: 1 }),
      await post('dice', { reset: true }),
    ]
    expect(answers.map((answer) => answer.statusCode)).toEqual([403, 403, 403])
    expect(host.calls).toEqual([])
    const keys = await host.app.inject('/sandbox/twitch/id/oauth2/keys')
    expect(keys.statusCode).toBe(200)
  })
})
