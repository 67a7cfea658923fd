// What is counted and measured, in the text format of Prometheus.

import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, Registry } from 'prom-client'
import type { ServerFigures } from '../../rules/server-figures.ts'
import { retryCount } from '../db/retry.ts'
import { figureMetrics } from './figure-metrics.ts'

export interface Metrics {
  readonly contentType: string
  text(figures: ServerFigures): Promise<string>
}

const durationBounds = [0.005, 0.02, 0.05, 0.1, 0.3, 1, 5]

/** Starts to count on this application; everything ends with it. */
export function countRequests(app: FastifyInstance): Metrics {
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
  new Counter({
    name: 'redpack_database_retries_total',
    help: 'Transactions run again after a deadlock or a serialization failure',
    registers,
    collect() {
      this.reset()
      this.inc(retryCount())
    },
  })
  app.addHook('onResponse', (request, reply, done) => {
    // Addresses that match nothing must not each become a line of their own.
    const route = request.routeOptions.url ?? 'unknown'
    const { method } = request
    durations.observe({ method, route }, reply.elapsedTime / 1000)
    answers.inc({ method, route, status: reply.statusCode })
    done()
  })
  const show = figureMetrics(registers)
  return {
    contentType: registry.contentType,
    text(figures) {
      show(figures)
      return registry.metrics()
    },
  }
}
