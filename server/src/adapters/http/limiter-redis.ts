// The Redis in which limits are counted: whether it answers is asked apart from any request.

import type { createClient } from 'redis'
import { withinMillis } from '../clock/within.ts'
import type { Deps } from '../deps.ts'

type Client = ReturnType<typeof createClient>

const connectMillisMax = 500
const reconnectMillisMax = 5_000
/** What a request may wait for Redis, once, before everybody counts in the process. */
const answerMillisMax = 150
const askEveryMillis = 1_000

/** Redis, as long as it answers. */
export interface LimiterRedis {
  readonly client: Client
  /** False from an answer that is late or fails until Redis has answered a question again. */
  isAnswering(): boolean
  /** What `work` answers. @throws what it throws, or an error when it takes longer than 150 ms */
  use<Result>(work: () => Promise<Result>): Promise<Result>
  close(): void
}

/**
 * Connects in the background. Redis is asked every second how it is, so that a Redis that hangs is
 * found out by the question and holds up at most the few requests of that moment.
 */
export async function limiterRedis({
  config,
  log,
}: Pick<Deps, 'config' | 'log'>): Promise<LimiterRedis> {
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
  // The start does not wait for Redis: until it answers, this process counts for itself.
  void client.connect().catch(lost)
  return watched(client)
}

function watched(client: Client): LimiterRedis {
  let isAnswering = false
  let isAsking = false

  async function use<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await withinMillis(work(), answerMillisMax)
    } catch (error) {
      // What the limiter throws to say no is an answer, too.
      if (error instanceof Error) isAnswering = false
      throw error
    }
  }
  const ask = async () => {
    // One question at a time: those that hang must not pile up.
    if (isAsking || !client.isReady) {
      if (!client.isReady) isAnswering = false
      return
    }
    isAsking = true
    const answer = client.ping()
    answer
      .catch(() => undefined)
      .finally(() => {
        isAsking = false
      })
    isAnswering = await withinMillis(answer, answerMillisMax).then(
      () => true,
      () => false,
    )
  }
  const timer = setInterval(() => void ask(), askEveryMillis).unref()
  client.on('ready', () => void ask())
  return {
    client,
    isAnswering: () => isAnswering,
    use,
    close() {
      clearInterval(timer)
      client.destroy()
    },
  }
}
