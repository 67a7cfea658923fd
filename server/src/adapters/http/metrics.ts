// What is counted and measured, in the text format of Prometheus.

import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ServerFigures } from '../../rules/server-figures.ts'
import { retryCount } from '../db/retry.ts'
import type { FiguresOfOthers, ProcessCounts, Siblings } from '../processes/sibling-processes.ts'
import { figureMetrics } from './figure-metrics.ts'
import { machineMetrics } from './machine-metrics.ts'

export interface Metrics {
  readonly contentType: string
  text(figures: ServerFigures): Promise<string>
  /** The lines of this process alone, for one that gathers those of all. */
  json(figures: ServerFigures): Promise<string>
}

const durationBounds = [0.005, 0.02, 0.05, 0.1, 0.3, 1, 5]

/**
 * Starts to count on this application; everything ends with it. Where several processes share the
 * port, every line has the label `process`, and the text has the lines of all that answer.
 */
export function countRequests(app: FastifyInstance, dataDir: string, siblings?: Siblings): Metrics {
  const registry = new Registry()
  if (siblings !== undefined) {
    registry.setDefaultLabels({ process: String(siblings.place.number) })
  }
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
  machineMetrics(registers, dataDir)
  const show = figureMetrics(registers)
  return {
    contentType: registry.contentType,
    async text(figures) {
      show(figures)
      if (siblings === undefined) return registry.metrics()
      const others = await siblings.figuresOfOthers().catch(() => undefined)
      return textOfAll(registry, others)
    },
    async json(figures) {
      show(figures)
      return JSON.stringify(await registry.getMetricsAsJSON())
    },
  }
}

/** One text of the lines of several processes; the labels keep them apart. */
async function textOfAll(own: Registry, others: FiguresOfOthers | undefined): Promise<string> {
  const lists: object[][] = [await own.getMetricsAsJSON()]
  for (const text of others?.texts ?? []) lists.push(JSON.parse(text) as object[])
  if (others !== undefined) lists.push(await countedProcesses(others.counts))
  return AggregatorRegistry.aggregate(lists).metrics()
}

async function countedProcesses(counts: ProcessCounts): Promise<object[]> {
  const registry = new Registry()
  const registers = [registry]
  const processes = new Gauge({
    name: 'redpack_processes',
    help: 'Processes on this port: those that are to serve, and those that do',
    labelNames: ['state'],
    registers,
  })
  processes.set({ state: 'wanted' }, counts.wanted)
  processes.set({ state: 'serving' }, counts.serving)
  new Counter({
    name: 'redpack_process_restarts_total',
    help: 'Processes that ended by themselves and were started again',
    registers,
  }).inc(counts.restarts)
  return registry.getMetricsAsJSON()
}
