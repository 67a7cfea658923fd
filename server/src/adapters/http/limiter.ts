// How often somebody may do something: counters in this process, or in Redis for several processes.

import type { EndpointShape } from '@redpack/contract'
import type { FastifyRequest } from 'fastify'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import type { createClient } from 'redis'
import { Refusal } from '../../rules/refusal.ts'
import { type Actor, isStaff } from '../../rules/roles.ts'
import type { World } from '../world.ts'
import { addressKey } from './caller-address.ts'

/** Counts points per key in windows of time. */
export interface Counter {
  /** Takes one point. Answers 0, or the whole seconds to wait when none is left. */
  take(key: string): Promise<number>
  /** Puts a point back that turned out not to count. */
  giveBack(key: string): Promise<void>
}

export interface Limiters {
  counter(name: string, points: number, windowSeconds: number): Counter
  close(): Promise<void>
}

type LimiterWorld = Pick<World, 'config' | 'clock' | 'log'>
type Redis = ReturnType<typeof createClient>

const redisTimeoutMillis = 500
const redisRestMillis = 1_000
const reconnectMillisMax = 5_000

/**
 * Opens the place where points are counted. While Redis is away each process counts for itself, so
 * a limit is never lifted. With limits switched off every counter always has points.
 */
export async function openLimiters(world: LimiterWorld): Promise<Limiters> {
  if (!world.config.rateLimits) return { counter: () => endless, close: async () => undefined }
  const redis = world.config.redisUrl === undefined ? undefined : await connect(world)
  return {
    counter(name, points, windowSeconds) {
      const options = { keyPrefix: `limit:${name}`, points, duration: windowSeconds }
      const own = new RateLimiterMemory(options)
      if (redis === undefined) return countWith(own, world.clock, windowSeconds)
      const shared = new RateLimiterRedis({
        ...options,
        storeClient: redis,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
        // A key that has used up its points is refused without asking Redis again.
        inMemoryBlockOnConsumed: points + 1,
      })
      return countWith(insured(shared, own), world.clock, windowSeconds)
    },
    close: async () => redis?.destroy(),
  }
}

const endless: Counter = { take: async () => 0, giveBack: async () => undefined }

type Points = Pick<RateLimiterAbstract, 'consume' | 'reward'>

/**
 * Counts in `shared`, and in `own` while that fails or takes too long. The library's own insurance
 * covers errors only: a Redis that has stopped answering would hold every request.
 */
function insured(shared: Points, own: Points): Points {
  let restsUntilMillis = 0
  const count = async (use: (points: Points) => Promise<RateLimiterRes>) => {
    if (Date.now() < restsUntilMillis) return use(own)
    try {
      return await inTime(use(shared))
    } catch (failure) {
      if (failure instanceof RateLimiterRes) throw failure
      restsUntilMillis = Date.now() + redisRestMillis
      return use(own)
    }
  }
  return {
    consume: (key) => count((points) => points.consume(key)),
    reward: (key) => count((points) => points.reward(key)),
  }
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Redis takes too long')), redisTimeoutMillis)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

function countWith(points: Points, clock: World['clock'], windowSeconds: number): Counter {
  // The library counts the system's time. Where the product's clock was moved on by whole windows,
  // fresh keys make up for it; elsewhere the difference is 0.
  const keyNow = (key: string) => {
    const aheadSeconds = Math.round((clock.now().getTime() - Date.now()) / 1000)
    return aheadSeconds < windowSeconds ? key : `${key}+${Math.floor(aheadSeconds / windowSeconds)}`
  }
  return {
    async take(key) {
      try {
        await points.consume(keyNow(key))
        return 0
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        return Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
      }
    },
    async giveBack(key) {
      await points.reward(keyNow(key))
    },
  }
}

async function connect({ config, log }: LimiterWorld): Promise<Redis> {
  const { createClient } = await import('redis')
  const client: Redis = createClient({
    ...(config.redisUrl === undefined ? {} : { url: config.redisUrl }),
    disableOfflineQueue: true,
    socket: {
      connectTimeout: redisTimeoutMillis,
      reconnectStrategy: (attempts) => Math.min(attempts * 200, reconnectMillisMax),
    },
  })
  const told = { down: 'Redis', by: 'limits' }
  client.on('error', (error) => log.warn({ err: error, ...told }, 'Redis cannot be reached'))
  client.on('ready', () => log.warn({ back: 'Redis', by: 'limits' }, 'Redis answers again'))
  // The start does not wait for Redis: until it answers, this process counts for itself.
  void client
    .connect()
    .catch((error) => log.warn({ err: error, ...told }, 'Redis cannot be reached'))
  return client
}

/** Refuses when a counter had no point left. `waitSeconds` is what `take` answered. */
function refuseWhenUsedUp(waitSeconds: number): void {
  if (waitSeconds === 0) return
  const unit = waitSeconds === 1 ? 'second' : 'seconds'
  throw new Refusal('rate_limited', `Too many requests, try again in ${waitSeconds} ${unit}`, {
    retryAfterSeconds: waitSeconds,
  })
}

type Rate = EndpointShape['rate']

export interface RequestLimits {
  /** @throws Refusal rate_limited when the caller has used up the limit of this kind of call */
  take(rate: Rate, request: FastifyRequest, actor: Actor | undefined): Promise<void>
  /** Counts a path that does not exist. @throws Refusal rate_limited */
  takeUnknownPath(request: FastifyRequest): Promise<void>
  /** Counts a session token that does not exist. @throws Refusal rate_limited */
  takeUnknownSession(request: FastifyRequest): Promise<void>
}

/** The limits of calls, per minute; a person is counted by their id, a visitor by their address. */
export function requestLimits(limiters: Limiters): RequestLimits {
  const perMinute = (name: string, points: number) => limiters.counter(name, points, 60)
  const player = perMinute('player', 300)
  const staff = perMinute('staff', 600)
  const spend = perMinute('spend', 30)
  const heartbeat = perMinute('heartbeat', 60)
  const signIn = perMinute('sign-in', 20)
  const upload = perMinute('upload', 20)
  // Whoever keeps watch reads the whole log once: 256 entries a call.
  const publicLog = perMinute('public-log', 1200)
  const unknownPath = perMinute('unknown-path', 120)
  const unknownSession = perMinute('unknown-session', 300)
  const common = (actor: Actor | undefined) =>
    actor !== undefined && isStaff(actor.role) ? staff : player
  const counters: Record<Exclude<Rate, 'none'>, (actor: Actor | undefined) => Counter> = {
    read: common,
    write: common,
    spend: () => spend,
    heartbeat: () => heartbeat,
    'sign-in': () => signIn,
    upload: () => upload,
    'public-log': () => publicLog,
  }
  return {
    async take(rate, request, actor) {
      if (rate === 'none') return
      const counter = counters[rate](actor)
      if (counter === endless) return
      const key = rate === 'sign-in' ? signInKey(request) : callerKey(request, actor)
      refuseWhenUsedUp(await counter.take(key))
    },
    async takeUnknownPath(request) {
      refuseWhenUsedUp(await unknownPath.take(addressKey(request.ip)))
    },
    async takeUnknownSession(request) {
      refuseWhenUsedUp(await unknownSession.take(addressKey(request.ip)))
    },
  }
}

function callerKey(request: FastifyRequest, actor: Actor | undefined): string {
  return actor === undefined ? addressKey(request.ip) : `user-${actor.userId}`
}

/** Start and end of a sign-in count apart, so that the limit is one of whole sign-ins. */
function signInKey(request: FastifyRequest): string {
  return `${addressKey(request.ip)} ${request.routeOptions.url ?? ''}`
}
