// What the process counts about itself, in the text format of Prometheus.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { type Database, statement } from '../db/database.ts'
import { retryCount } from '../db/retry.ts'

export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
}

const lagResolutionMillis = 20
const nanosPerSecond = 1e9
const durationBounds = [0.005, 0.02, 0.05, 0.1, 0.3, 1, 5]

// Ids count openings without reading them: the last one given is how many there were, give or take
// those rolled back.
const readOpenings = statement(
  'metrics_openings',
  `SELECT (CASE WHEN is_called THEN last_value ELSE last_value - 1 END) AS count
   FROM pack_openings_id_seq`,
)

/** Starts to count on this application; everything ends with it. */
export function countRequests(app: FastifyInstance, db: Database): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const durations = new Histogram({
    name: 'redpack_http_request_seconds',
    help: 'How long requests took, by route',
    labelNames: ['method', 'route'] as const,
    buckets: durationBounds,
    registers,
  })
  const answers = new Counter({
    name: 'redpack_http_requests_total',
    help: 'Requests by route and status',
    labelNames: ['method', 'route', 'status'] as const,
    registers,
  })
  app.addHook('onResponse', (request, reply, done) => {
    // Addresses that match nothing must not each become a line of their own.
    const route = request.routeOptions.url ?? 'unknown'
    const { method } = request
    durations.observe({ method, route }, reply.elapsedTime / 1000)
    answers.inc({ method, route, status: reply.statusCode })
    done()
  })
  watchEventLoop(app, registers)
  watchProcess(registers)
  watchDatabase(db, registers)
  return { contentType: registry.contentType, text: () => registry.metrics() }
}

function watchEventLoop(app: FastifyInstance, registers: Registry[]): void {
  const lag = monitorEventLoopDelay({ resolution: lagResolutionMillis })
  lag.enable()
  app.addHook('onClose', async () => {
    lag.disable()
  })
  new Gauge({
    name: 'redpack_event_loop_lag_seconds',
    help: 'Delay of the event loop since the last reading',
    labelNames: ['quantile'] as const,
    registers,
    collect() {
      for (const quantile of [50, 99, 100]) {
        this.set({ quantile: quantile / 100 }, lag.percentile(quantile) / nanosPerSecond)
      }
      lag.reset()
    },
  })
}

function watchProcess(registers: Registry[]): void {
  new Gauge({
    name: 'redpack_resident_memory_bytes',
    help: 'Memory of the process',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  new Gauge({
    name: 'redpack_uptime_seconds',
    help: 'How long the process has run',
    registers,
    collect() {
      this.set(process.uptime())
    },
  })
}

function watchDatabase(db: Database, registers: Registry[]): void {
  new Counter({
    name: 'redpack_database_retries_total',
    help: 'Transactions run again after a deadlock or a serialization failure',
    registers,
    collect() {
      this.reset()
      this.inc(retryCount())
    },
  })
  new Gauge({
    name: 'redpack_pack_openings',
    help: 'Packs opened so far, by everybody',
    registers,
    async collect() {
      // The other figures are wanted most when the database does not answer.
      const rows = await db.run<{ count: number }>(readOpenings, []).catch(() => [])
      this.reset()
      if (rows[0] !== undefined) this.set(rows[0].count)
    },
  })
  if (db.pool === undefined) return
  new Gauge({
    name: 'redpack_database_connections',
    help: 'Connections of the pool, and callers that wait for one',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const state = db.pool?.()
      if (state === undefined) return
      this.set({ state: 'busy' }, state.total - state.idle)
      this.set({ state: 'idle' }, state.idle)
      this.set({ state: 'waiting' }, state.waiting)
    },
  })
}
