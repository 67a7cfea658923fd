// Limits: who is counted together, when somebody is refused, and what happens without Redis.

import { createServer } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { type IRateLimiterOptions, RateLimiterMemory } from 'rate-limiter-flexible'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listenLocally } from '../../../test/local-server.ts'
import { isRedisReachable, testRedisUrl } from '../../../test/test-services.ts'
import { readConfig } from '../../config/config.ts'
import type { Actor, Role } from '../../rules/roles.ts'
import type { DomainError } from '../../shared/domain-error.ts'
import { movableClock } from '../clock/clock.ts'
import { type Limiters, openLimiters, requestLimits } from './limiter.ts'

const opened: Limiters[] = []
afterEach(async () => {
  for (const limiters of opened.splice(0)) await limiters.close()
})

const open = async (
  environment: Record<string, string> = {},
  clock = movableClock(),
  beside?: Parameters<typeof openLimiters>[1],
) => {
  const config = readConfig({ LOG_LEVEL: 'silent', ...environment })
  const limiters = await openLimiters({ config, clock, log: pino({ level: 'silent' }) }, beside)
  opened.push(limiters)
  return limiters
}
const request = (ip: string, url = '/api/x') =>
  ({ ip, routeOptions: { url } }) as never as FastifyRequest
const actor = (userId: number, role: Role = 'user'): Actor => ({
  userId,
  role,
  sessionHash: 'hash',
})

/** How many of `calls` in a row are let through. */
const passing = async (calls: number, call: () => Promise<unknown>): Promise<number> => {
  let passed = 0
  for (let index = 0; index < calls; index += 1) {
    await call().then(
      () => {
        passed += 1
      },
      () => undefined,
    )
  }
  return passed
}

describe('the limits of calls', () => {
  it.each([
    ['read', 'user', 300],
    ['write', 'user', 300],
    ['read', 'admin', 600],
    ['write', 'super_user', 600],
    ['spend', 'user', 30],
    ['heartbeat', 'user', 60],
    ['upload', 'admin', 20],
    ['sign-in', 'user', 20],
    ['public-log', 'user', 1200],
  ] as const)('let a person %s as %s %i times a minute', async (rate, role, times) => {
    const limits = requestLimits(await open())
    const call = () => limits.take(rate, request('203.0.113.9'), actor(1, role))
    expect(await passing(times + 5, call)).toBe(times)
  })

  it('never refuse what costs next to nothing', async () => {
    const limits = requestLimits(await open())
    const call = () => limits.take('none', request('203.0.113.9'), undefined)
    expect(await passing(2_000, call)).toBe(2_000)
  })

  it('count people by who they are, wherever they come from', async () => {
    const limits = requestLimits(await open())
    let turn = 0
    const call = () => {
      turn += 1
      return limits.take('spend', request(`203.0.113.${turn}`), actor(1))
    }
    expect(await passing(40, call)).toBe(30)
    await limits.take('spend', request('203.0.113.1'), actor(2))
  })

  it('count visitors by address, and sign-ins by address whoever is signed in', async () => {
    const limits = requestLimits(await open())
    const visitor = (ip: string) => () => limits.take('read', request(ip), undefined)
    expect(await passing(310, visitor('203.0.113.9'))).toBe(300)
    expect(await passing(1, visitor('203.0.113.10'))).toBe(1)
    let user = 0
    const signIn = () => {
      user += 1
      return limits.take('sign-in', request('203.0.113.9', '/api/auth/twitch'), actor(user))
    }
    expect(await passing(25, signIn)).toBe(20)
    const end = request('203.0.113.9', '/api/auth/twitch/callback')
    await limits.take('sign-in', end, undefined)
  })

  it('say how long to wait, and hold for that long', async () => {
    vi.useFakeTimers()
    const limits = requestLimits(await open())
    const call = () => limits.take('heartbeat', request('203.0.113.9'), actor(1))
    expect(await passing(60, call)).toBe(60)
    vi.advanceTimersByTime(20_500)
    const domainError: DomainError = await call().then(
      () => expect.unreachable(),
      (error) => error,
    )
    expect(domainError).toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 40 } })
    expect(domainError.message).toBe('Too many requests, try again in 40 seconds')
    vi.advanceTimersByTime(39_000)
    await expect(call()).rejects.toThrow(/try again in 1 second$/)
    vi.advanceTimersByTime(1_000)
    expect(await passing(61, call)).toBe(60)
  })

  it('begin anew whenever the product clock is moved by a whole window', async () => {
    vi.useFakeTimers()
    const clock = movableClock()
    const limits = requestLimits(await open({}, clock))
    const call = () => limits.take('heartbeat', request('203.0.113.9'), actor(1))
    const passed = async (seconds: number) => {
      clock.advance(seconds)
      return passing(61, call)
    }
    expect(await passed(0)).toBe(60)
    expect(await passed(30)).toBe(0)
    expect(await passed(30)).toBe(60)
    expect(await passed(1)).toBe(0)
    expect(await passed(59)).toBe(60)
  })

  it('limit searching for paths and for session tokens', async () => {
    const limits = requestLimits(await open())
    const from = request('203.0.113.9')
    expect(await passing(400, () => limits.takeUnknownPath(from))).toBe(120)
    expect(await passing(400, () => limits.takeUnknownSession(from))).toBe(300)
  })

  it('are never felt in ten minutes of the real screens', async () => {
    vi.useFakeTimers()
    const limits = requestLimits(await open())
    const from = request('203.0.113.9')
    const [staff, player] = [actor(1, 'admin'), actor(2)]
    const every = (second: number, seconds: number) => second % seconds === 0
    const polls = (second: number) => [
      ...Array(3).fill(staff), // users each second, in three windows
      ...(every(second, 2) ? [staff, staff] : []), // prizes and claims
      ...(every(second, 30) ? [staff, player] : []), // who am I
      ...(every(second, 10) ? [player, player] : []), // watch sessions, in two windows
      ...(every(second, 30) ? [player, player, player, player] : []), // streams, completions
      // After an opening: four lists, four times.
      ...(every(second, 20) ? Array(16).fill(player) : []),
    ]
    for (let second = 0; second < 600; second += 1) {
      for (const who of polls(second)) await limits.take('read', from, who)
      if (every(second, 20)) await limits.take('spend', from, player)
      if (every(second, 30)) await limits.take('heartbeat', from, player)
      vi.advanceTimersByTime(1_000)
    }
  })

  it('are all off when they are switched off', async () => {
    const limiters = await open({ RATE_LIMITS: 'off', SANDBOX: 'on' })
    const limits = requestLimits(limiters)
    const call = () => limits.take('heartbeat', request('203.0.113.9'), actor(1))
    expect(await passing(100, call)).toBe(100)
    expect(limiters.figures()).toEqual({ isRedisAnswering: undefined, refused: new Map() })
  })
})

describe('a counter', () => {
  it('lets exactly its points through of many at once, and takes one back', async () => {
    const counter = (await open()).counter('test', 5, 900)
    const waits = await Promise.all(Array.from({ length: 1000 }, () => counter.take('key')))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(5)
    expect(Math.max(...waits)).toBe(900)
    const other = (await open()).counter('test', 1, 900)
    await other.take('key')
    await other.giveBack('key')
    expect(await other.take('key')).toBe(0)
    expect(await other.take('key')).toBeGreaterThan(0)
  })
})

describe('of the limits operators see', () => {
  it('each by its name, and how often it has refused', async () => {
    const limiters = await open()
    const limits = requestLimits(limiters)
    const call = () => limits.take('spend', request('203.0.113.9'), actor(1))
    expect(await passing(33, call)).toBe(30)
    const names = ['player', 'staff', 'spend', 'heartbeat', 'sign-in', 'upload', 'public-log']
    const refused = [...names, 'unknown-path', 'unknown-session'].map(
      (name) => [name, name === 'spend' ? 3 : 0] as const,
    )
    expect(limiters.figures()).toEqual({ isRedisAnswering: undefined, refused: new Map(refused) })
  })
})

describe('of several processes on one port', () => {
  /** Counts for all of them, as the process that supervises does. */
  function supervisor() {
    const counters = new Map<string, RateLimiterMemory>()
    const held = { isSilent: false }
    const beside = (limit: IRateLimiterOptions) => {
      const name = limit.keyPrefix ?? ''
      const counter = counters.get(name) ?? new RateLimiterMemory(limit)
      counters.set(name, counter)
      const answered = <Answer>(work: () => Promise<Answer>) =>
        held.isSilent ? Promise.reject(new Error('No answer')) : work()
      return {
        consume: (key: string) => answered(() => counter.consume(key)),
        reward: (key: string) => answered(() => counter.reward(key)),
      }
    }
    return { counters, held, open: () => open({}, undefined, beside) }
  }

  it('one counts what keeps guessing and hoarding away, and each what pages do', async () => {
    const { counters, open: openOne } = supervisor()
    const [left, right] = [requestLimits(await openOne()), requestLimits(await openOne())]
    const passed = async (rate: 'spend' | 'read') => {
      const from = request('203.0.113.9')
      const counts = [left, right].map((limits) =>
        passing(310, () => limits.take(rate, from, actor(1))),
      )
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
    }
    expect(await passed('spend')).toBe(30)
    expect(await passed('read')).toBe(600)
    const apart = ['spend', 'sign-in', 'upload', 'unknown-path', 'unknown-session']
    expect([...counters.keys()]).toEqual(apart.map((name) => `limit:${name}`))
  })

  it('a point is given back to all of them', async () => {
    const { open: openOne } = supervisor()
    const [left, right] = [await openOne(), await openOne()].map((limiters) =>
      limiters.counter('test', 1, 60),
    )
    expect(await left?.take('key')).toBe(0)
    await left?.giveBack('key')
    expect(await right?.take('key')).toBe(0)
    expect(await left?.take('key')).toBe(60)
  })

  it('each goes on from where it was when the one that counts falls silent', async () => {
    const { held, open: openOne } = supervisor()
    const counter = (await openOne()).counter('test', 3, 60)
    expect([await counter.take('key'), await counter.take('key')]).toEqual([0, 0])
    held.isSilent = true
    expect([await counter.take('key'), await counter.take('key')]).toEqual([0, 60])
    await counter.giveBack('key')
    await counter.giveBack('key')
    expect(await counter.take('key')).toBe(0)
  })
})

describe.runIf(await isRedisReachable())('counters in Redis', () => {
  it('find it answering also where the start holds the process up', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => lines.push(line) })
    const config = readConfig({ REDIS_URL: testRedisUrl })
    const limiters = await openLimiters({ config, clock: movableClock(), log })
    opened.push(limiters)
    // Longer than a connection may take, as routes take on a slow machine.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700)
    await expect.poll(() => limiters.figures().isRedisAnswering).toBe(true)
    expect(lines.filter((line) => line.includes('cannot be reached'))).toEqual([])
  })

  /** Two that have both reached Redis: each sees what the other counts. */
  const connected = async () => {
    const settings = { REDIS_URL: testRedisUrl }
    const [one, two] = [await open(settings), await open(settings)]
    await expect
      .poll(async () => {
        const name = `probe-${process.hrtime.bigint()}`
        await one.counter(name, 1, 60).take('key')
        return two.counter(name, 1, 60).take('key')
      })
      .toBeGreaterThan(0)
    return [one, two] as const
  }

  it('are shared by all processes', async () => {
    const [one, two] = await connected()
    let [left, right] = [one.counter('never', 5, 900), two.counter('never', 5, 900)]
    let free = 0
    // Redis may be late once on a busy machine: each counts for itself then, and says so.
    await expect
      .poll(async () => {
        const name = `shared-${process.hrtime.bigint()}`
        ;[left, right] = [one.counter(name, 5, 900), two.counter(name, 5, 900)]
        const waits = await Promise.all(
          Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? left : right).take('key')),
        )
        free = waits.filter((wait) => wait === 0).length
        return [one, two].every(({ figures }) => figures().isRedisAnswering)
      })
      .toBe(true)
    expect(free).toBe(5)
    for (let point = 0; point < 5; point += 1) expect(await left.take('other')).toBe(0)
    await left.giveBack('other')
    expect(await right.take('other')).toBe(0)
    expect(await left.take('other')).toBeGreaterThan(0)
  })
})

describe('without the Redis of the settings', () => {
  it('a Redis that has stopped answering holds nobody for long, and lifts no limit', async () => {
    const silent = createServer()
    const { port } = await listenLocally(silent)
    const unanswered: string[] = []
    let isSilent = false
    silent.on('connection', (socket) => {
      socket.on('data', (chunk) => {
        const commands = chunk.toString().match(/^\*\d+/gm) ?? []
        if (isSilent) unanswered.push(chunk.toString())
        else socket.write('+OK\r\n'.repeat(commands.length))
      })
    })
    const limiters = await open({ REDIS_URL: `redis://127.0.0.1:${port}` })
    await expect.poll(() => limiters.figures().isRedisAnswering).toBe(true)
    isSilent = true
    const counter = limiters.counter('test', 2, 60)
    const waits: number[] = []
    for (let round = 0; round < 100; round += 1) waits.push(await counter.take('key'))
    expect(waits.map((wait) => wait > 0)).toEqual([false, false, ...Array(98).fill(true)])
    expect(limiters.figures().isRedisAnswering).toBe(false)
    // It was waited for once.
    expect(unanswered.filter((text) => !text.includes('PING'))).toHaveLength(1)
    await limiters.close()
    // Ends when the last connection has ended.
    await new Promise((resolve) => silent.close(resolve))
  })

  it('this process counts for itself, at once and without failing open', async () => {
    const limiters = await open({ REDIS_URL: 'redis://127.0.0.1:9' })
    const counter = limiters.counter('test', 5, 900)
    const waits = await Promise.all(Array.from({ length: 100 }, () => counter.take('key')))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(5)
  })
})
