// How often somebody may do something: counters in this process, or in Redis for several processes.

import type { EndpointShape } from '@redpack/contract'
import type { FastifyRequest } from 'fastify'
import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import type { createClient } from 'redis'
import { type Actor, isStaff } from '../../rules/roles.ts'
import type { LimiterFigures } from '../../rules/server-figures.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { sharedRuns } from '../../shared/turns.ts'
import { withinMillis } from '../clock/clock.ts'
import type { Deps } from '../deps.ts'
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
  figures(): LimiterFigures
  close(): Promise<void>
}

type LimiterDeps = Pick<Deps, 'config' | 'clock' | 'log'>

/** Limits of what pages do all the time: a poll does not ask another process first. */
const countedHere = new Set(['player', 'staff', 'heartbeat', 'public-log'])

/**
 * Opens the place where points are counted: Redis; without it the process that supervises those on
 * this port; alone, this process. While the others do not answer each process counts for itself, so
 * a limit is never lifted. With limits switched off every counter always has points.
 */
export async function openLimiters(
  deps: LimiterDeps,
  beside?: (limit: IRateLimiterOptions) => Points,
): Promise<Limiters> {
  const refused = new Map<string, number>()
  if (!deps.config.rateLimits) {
    const figures = () => ({ isRedisAnswering: undefined, refused })
    return { counter: () => endless, figures, close: async () => undefined }
  }
  const redis = deps.config.redisUrl === undefined ? undefined : await limiterRedis(deps)
  return {
    counter(name, points, windowSeconds) {
      refused.set(name, 0)
      const onRefused = () => refused.set(name, (refused.get(name) ?? 0) + 1)
      const options = { keyPrefix: `limit:${name}`, points, duration: windowSeconds }
      const own = new RateLimiterMemory(options)
      if (redis === undefined) {
        const asked = countedHere.has(name) ? undefined : beside?.(options)
        const counted = asked === undefined ? own : insured(asked, own, alwaysAsked)
        return countWith(counted, deps.clock, windowSeconds, onRefused)
      }
      const shared = new RateLimiterRedis({
        ...options,
        storeClient: redis.client,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
        // A key that has used up its points is refused without asking Redis again.
        inMemoryBlockOnConsumed: points + 1,
      })
      return countWith(insured(shared, own, redis), deps.clock, windowSeconds, onRefused)
    },
    figures: () => ({ isRedisAnswering: redis?.isAnswering(), refused }),
    close: async () => redis?.close(),
  }
}

const endless: Counter = { take: async () => 0, giveBack: async () => undefined }

type Points = Pick<RateLimiterAbstract, 'consume' | 'reward'>

/** Whether the others can be asked now, and how. */
type Others = Pick<ReturnType<typeof watched>, 'isAnswering' | 'use'>

/** Who supervises is on this machine, and without it this process ends. */
const alwaysAsked: Others = { isAnswering: () => true, use: (work) => work() }

/**
 * Counts in `shared`, and in `own` while the others do not answer. The library's own insurance
 * covers errors only: a Redis that has stopped answering would hold every request.
 */
function insured(shared: Points, own: Points, others: Others): Points {
  const count = async (use: (points: Points) => Promise<RateLimiterRes>) => {
    // Counted here in any case, so that a limit goes on from where it was when they fall silent.
    const inProcess = use(own)
    if (!others.isAnswering()) return inProcess
    inProcess.catch(() => undefined)
    try {
      return await others.use(() => use(shared))
    } catch (failure) {
      if (failure instanceof RateLimiterRes) throw failure
      return inProcess
    }
  }
  return {
    consume: (key) => count((points) => points.consume(key)),
    reward: (key) => count((points) => points.reward(key)),
  }
}

function countWith(
  points: Points,
  clock: Deps['clock'],
  windowSeconds: number,
  onRefused: () => void,
): Counter {
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
        onRefused()
        return Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
      }
    },
    async giveBack(key) {
      await points.reward(keyNow(key))
    },
  }
}

/** Refuses when a counter had no point left. `waitSeconds` is what `take` answered. */
function refuseWhenUsedUp(waitSeconds: number): void {
  if (waitSeconds === 0) return
  const unit = waitSeconds === 1 ? 'second' : 'seconds'
  throw new DomainError('rate_limited', `Too many requests, try again in ${waitSeconds} ${unit}`, {
    retryAfterSeconds: waitSeconds,
  })
}

type Rate = EndpointShape['rate']

export type RequestLimits = ReturnType<typeof requestLimits>

/** The limits of calls, per minute; a person is counted by their id, a visitor by their address. */
export function requestLimits(limiters: Limiters) {
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
    /** @throws DomainError rate_limited when the caller has used up this kind of call */
    async take(rate: Rate, request: FastifyRequest, actor: Actor | undefined) {
      if (rate === 'none') return
      const counter = counters[rate](actor)
      if (counter === endless) return
      const key = rate === 'sign-in' ? signInKey(request) : callerKey(request, actor)
      refuseWhenUsedUp(await counter.take(key))
    },
    /** Counts a path that does not exist. @throws DomainError rate_limited */
    async takeUnknownPath(request: FastifyRequest) {
      refuseWhenUsedUp(await unknownPath.take(addressKey(request.ip)))
    },
    /** Counts a session token that does not exist. @throws DomainError rate_limited */
    async takeUnknownSession(request: FastifyRequest) {
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

type Client = ReturnType<typeof createClient>

const connectMillisMax = 500
const reconnectMillisMax = 5_000
/** What a request may wait for Redis, once, before everybody counts in the process. */
const answerMillisMax = 150
const askEveryMillis = 1_000

/**
 * Connects in the background. Redis is asked every second how it is, so that a Redis that hangs is
 * found out by the question and holds up at most the few requests of that moment.
 */
async function limiterRedis({ config, log }: Pick<Deps, 'config' | 'log'>) {
  const { createClient } = await import('redis')
  const client: Client = createClient({
    ...(config.redisUrl === undefined ? {} : { url: config.redisUrl }),
    disableOfflineQueue: true,
    socket: {
      connectTimeout: connectMillisMax,
      reconnectStrategy: (attempts) => Math.min(attempts * 200, reconnectMillisMax),
    },
  })
  const lost = (error: unknown) =>
    log.warn({ err: error, down: 'Redis', by: 'limits' }, 'Redis cannot be reached')
  client.on('error', lost)
  client.on('ready', () => log.warn({ back: 'Redis', by: 'limits' }, 'Redis answers again'))
  // The start does not wait for Redis: until it answers, this process counts for itself. Redis is
  // called once the routes are there, since making them takes longer than it may take to answer.
  const starting = setImmediate(() => void client.connect().catch(lost))
  return watched(client, starting)
}

/** Redis, as long as it answers. */
function watched(client: Client, starting: NodeJS.Immediate) {
  let isAnswering = false

  /** What `work` answers. @throws what it throws, or an error when it takes longer than 150 ms */
  async function use<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await withinMillis(work(), answerMillisMax)
    } catch (error) {
      // What the limiter throws to say no is an answer, too.
      if (error instanceof Error) isAnswering = false
      throw error
    }
  }
  // One question at a time: those that hang must not pile up.
  const ping = sharedRuns(() => client.ping())
  const ask = async () => {
    isAnswering =
      client.isReady &&
      (await withinMillis(ping(), answerMillisMax).then(
        () => true,
        () => false,
      ))
  }
  const timer = setInterval(() => void ask(), askEveryMillis).unref()
  client.on('ready', () => void ask())
  return {
    client,
    /** False from an answer that is late or fails until Redis has answered a question again. */
    isAnswering: () => isAnswering,
    use,
    close() {
      clearInterval(timer)
      clearImmediate(starting)
      if (client.isOpen) client.destroy()
    },
  }
}
