// The metrics, in Prometheus's text format.

import { stat, statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type {
  BooksFigures,
  DatabaseFigures,
  LogFigures,
  ServerFigures,
} from '../../rules/server-figures.ts'
import { sharedRuns } from '../../shared/turns.ts'
import { type Clock, withinMillis } from '../clock/clock.ts'
import { retryCount } from '../db/retry.ts'
import { newestDump } from '../db/rolling-dumps.ts'
import type { FiguresOfOthers, ProcessCounts, Siblings } from '../processes/sibling-processes.ts'

const durationBounds = [0.005, 0.02, 0.05, 0.1, 0.3, 1, 5]

/**
 * Starts counting for this application, until it ends. If several processes share the port, every
 * line has the label `process`, and the text has the lines of all that answer.
 */
export function countRequests(app: FastifyInstance, dataDir: string, siblings?: Siblings) {
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
    // Addresses that match nothing must not each get a line.
    const route = request.routeOptions.url ?? 'unknown'
    const { method } = request
    durations.observe({ method, route }, reply.elapsedTime / 1000)
    answers.inc({ method, route, status: reply.statusCode })
    done()
  })
  const show = figureMetrics(registers)
  const showAll = async (figures: ServerFigures) =>
    show(figures, await machineFigures(dataDir, figures.now))
  return {
    contentType: registry.contentType,
    async text(figures: ServerFigures): Promise<string> {
      await showAll(figures)
      if (siblings === undefined) return registry.metrics()
      const others = await siblings.figuresOfOthers().catch(() => undefined)
      return textOfAll(registry, others)
    },
    /** The lines of this process alone, for a process that gathers all lines. */
    async json(figures: ServerFigures): Promise<string> {
      await showAll(figures)
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
    help: 'Processes on this port: wanted and serving',
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

/** Sets a gauge or counter at every reading. */
type Show = (name: string, value: number | undefined, labels?: Record<string, string>) => void

/** Every metric from the figures, with its help; those ending in `_total` are counters. */
const helps = {
  redpack_heap_used_bytes: 'Heap memory that the process uses',
  redpack_processor_seconds_total: 'Processor time of the process',
  redpack_data_free_bytes: 'Free space on the disk of DATA_DIR',
  redpack_newest_dump_timestamp_seconds: 'When the newest dump in DATA_DIR was made, as Unix time',
  redpack_build_info: 'Always 1; the label has the version',
  redpack_process_start_time_seconds: 'When the process started, as Unix time',
  redpack_uptime_seconds: 'How long the process has run',
  redpack_resident_memory_bytes: 'Memory of the process',
  redpack_event_loop_lag_seconds: 'How late timers came in the last half minute',
  redpack_database_up: '1 when the database answered within 1.5 seconds',
  redpack_database_answer_seconds: 'How long the database took to answer',
  redpack_database_read_only: '1 when the database cannot be written; the label says why',
  redpack_database_connections: 'Connections of the pool, and callers that wait for one',
  redpack_pack_openings: 'Packs opened so far by everybody',
  redpack_books_broken_invariants: 'Invariants that the last check found broken',
  redpack_books_checked_timestamp_seconds: 'When the last check of the books ended, as Unix time',
  redpack_books_overdue: '1 when no check of the books has ended for a day',
  redpack_job_consecutive_failures: 'Failed runs of the job since its last good one',
  redpack_job_last_success_timestamp_seconds: 'When the job last ended well, as Unix time',
  redpack_job_last_duration_seconds: 'How long the last run of the job took',
  redpack_job_interval_seconds: 'How often the job should run',
  redpack_job_overdue_seconds: 'How long ago the job should have been started',
  redpack_log_entries: 'Entries of the public log',
  redpack_log_waiting: 'Events that are not in the public log yet, counted up to 10,000',
  redpack_log_oldest_waiting_seconds: 'How long the oldest waiting event has waited',
  redpack_log_set_aside: 'Events that cannot become entries, counted up to 10,000',
  redpack_log_signing: '1 when the public log can be signed, else 0; the label says why not',
  redpack_log_signed_entries: 'Entries that the last checkpoint covers',
  redpack_log_signed_timestamp_seconds: 'When the last checkpoint was signed, as Unix time',
  redpack_log_witness_up: '1 when the witness cosigned at the last request',
  redpack_log_witness_cosigned_timestamp_seconds: 'When the witness last cosigned, as Unix time',
  redpack_queue_waiting: 'Rows that wait to be sent, counted up to 10,000',
  redpack_queue_oldest_waiting_seconds: 'How long the oldest waiting row has waited',
  redpack_events_up: '1 when messages that this process sends to itself come back',
  redpack_events_published_total: 'Events handed to the carrier',
  redpack_events_received_total: 'Events received from other processes',
  redpack_events_lost_total: 'Events that the carrier did not take',
  redpack_events_round_trip_seconds: 'How long the last message to itself took',
  redpack_events_last_heard_timestamp_seconds: 'When a message last arrived, as Unix time',
  redpack_redis_up: '1 when Redis answers, by use',
  redpack_limiter_refused_total: 'Calls refused by a limit',
  redpack_sockets_open: 'Open pages connected to this process',
  redpack_sockets_closed_total: 'Pages closed by this process, by reason',
} as const

const labelNames: Readonly<Record<string, readonly string[]>> = {
  redpack_build_info: ['version'],
  redpack_event_loop_lag_seconds: ['percentile'],
  redpack_database_read_only: ['reason'],
  redpack_database_connections: ['state'],
  redpack_log_signing: ['trouble'],
  redpack_events_up: ['carrier'],
  redpack_redis_up: ['use'],
  redpack_limiter_refused_total: ['limit'],
  redpack_sockets_closed_total: ['reason'],
}

function labelsOf(name: string): readonly string[] {
  // `job` is Prometheus's own label for the source of a metric.
  if (name.startsWith('redpack_job_')) return ['job_name']
  if (name.startsWith('redpack_log_witness_')) return ['witness']
  if (name.startsWith('redpack_queue_')) return ['queue']
  return labelNames[name] ?? []
}

/** Registers the metrics; the returned function sets their values. */
function figureMetrics(registers: Registry[]) {
  const all = new Map(
    Object.entries(helps).map(([name, help]) => {
      const options = { name, help, labelNames: labelsOf(name), registers }
      return [name, name.endsWith('_total') ? new Counter(options) : new Gauge(options)]
    }),
  )
  const show: Show = (name, value, labels = {}) => {
    const metric = all.get(name)
    if (metric === undefined) throw new Error(`There is no metric ${name}`)
    if (value === undefined) return
    if (metric instanceof Counter) metric.inc(labels, value)
    else metric.set(labels, value)
  }
  return (figures: ServerFigures, machine: Awaited<ReturnType<typeof machineFigures>>) => {
    for (const [name, metric] of all) {
      metric.reset()
      // A gauge without labels would start at 0.
      if (metric instanceof Gauge && labelsOf(name).length === 0) metric.remove()
    }
    for (const [name, value] of Object.entries(machine)) show(name, value)
    showProcess(show, figures)
    showEvents(show, figures)
    show('redpack_database_up', figures.database === undefined ? 0 : 1)
    if (figures.database !== undefined) showDatabase(show, figures.database)
    showBooks(show, figures)
  }
}

function showProcess(show: Show, { process, pool, connections, limiter }: ServerFigures): void {
  show('redpack_build_info', 1, { version: process.version })
  show('redpack_process_start_time_seconds', unix(process.startedAt))
  show('redpack_uptime_seconds', Math.max(0, (Date.now() - process.startedAt.getTime()) / 1000))
  show('redpack_resident_memory_bytes', process.residentBytes)
  const { p50, p99, max } = process.loopLagSeconds
  for (const [percentile, value] of Object.entries({ '50': p50, '99': p99, '100': max })) {
    show('redpack_event_loop_lag_seconds', value, { percentile })
  }
  for (const [state, value] of Object.entries(pool ?? {})) {
    show('redpack_database_connections', value, { state })
  }
  show('redpack_sockets_open', connections.open)
  for (const [reason, count] of connections.closed) {
    show('redpack_sockets_closed_total', count, { reason })
  }
  for (const [limit, count] of limiter.refused) {
    show('redpack_limiter_refused_total', count, { limit })
  }
}

function showEvents(show: Show, { events, limiter }: ServerFigures): void {
  if (limiter.isRedisAnswering !== undefined) {
    show('redpack_redis_up', Number(limiter.isRedisAnswering), { use: 'limits' })
  }
  const { carrier, isUp } = events
  if (carrier === 'none') return
  if (carrier === 'redis') show('redpack_redis_up', Number(isUp), { use: 'events' })
  show('redpack_events_up', Number(isUp), { carrier })
  show('redpack_events_published_total', events.published)
  show('redpack_events_received_total', events.received)
  show('redpack_events_lost_total', events.lost)
  show('redpack_events_round_trip_seconds', events.roundTripSeconds)
  show('redpack_events_last_heard_timestamp_seconds', unix(events.lastHeardAt))
}

function showDatabase(show: Show, database: DatabaseFigures): void {
  const { answerSeconds, readOnly, openings, jobs, log, queues } = database
  show('redpack_database_answer_seconds', answerSeconds)
  show('redpack_database_read_only', Number(readOnly !== undefined), { reason: readOnly ?? '' })
  show('redpack_pack_openings', openings)
  for (const { name, ...figures } of jobs) {
    const labels = { job_name: name }
    show('redpack_job_consecutive_failures', figures.failuresInRow, labels)
    show('redpack_job_last_success_timestamp_seconds', unix(figures.lastSucceededAt), labels)
    show('redpack_job_last_duration_seconds', figures.lastDurationSeconds ?? undefined, labels)
    show('redpack_job_interval_seconds', figures.everySeconds, labels)
    show('redpack_job_overdue_seconds', figures.overdueSeconds, labels)
  }
  showLog(show, log)
  for (const { name: queue, waiting, oldestSeconds } of queues) {
    show('redpack_queue_waiting', waiting, { queue })
    show('redpack_queue_oldest_waiting_seconds', oldestSeconds, { queue })
  }
}

function showLog(show: Show, log: LogFigures): void {
  show('redpack_log_entries', log.entries)
  show('redpack_log_waiting', log.waiting)
  show('redpack_log_oldest_waiting_seconds', log.oldestSeconds)
  show('redpack_log_set_aside', log.setAside)
  const trouble = log.trouble ?? ''
  show('redpack_log_signing', Number(log.trouble === undefined), { trouble })
  show('redpack_log_signed_entries', log.signedSize)
  show('redpack_log_signed_timestamp_seconds', unix(log.signedAt))
  for (const { name: witness, cosignedAt, problem } of log.witnesses) {
    show('redpack_log_witness_up', Number(problem === undefined), { witness })
    show('redpack_log_witness_cosigned_timestamp_seconds', unix(cosignedAt), { witness })
  }
}

function showBooks(show: Show, { books }: ServerFigures): void {
  if (books === undefined) return
  show('redpack_books_broken_invariants', books.broken)
  show('redpack_books_checked_timestamp_seconds', unix(books.checkedAt))
  show('redpack_books_overdue', Number(books.isOverdue))
}

function unix(moment: Date | null | undefined): number | undefined {
  return moment ? moment.getTime() / 1000 : undefined
}

/** What the machine says about this process and the disk; undefined if unknown. */
async function machineFigures(dataDir: string, now: Date) {
  const { user, system } = process.cpuUsage()
  const dumped = async () => {
    const newest = newestDump(dataDir, now)
    return newest === undefined ? undefined : (await stat(newest)).mtimeMs / 1000
  }
  return {
    redpack_heap_used_bytes: process.memoryUsage().heapUsed,
    redpack_processor_seconds_total: (user + system) / 1e6,
    redpack_data_free_bytes: await statfs(dataDir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => undefined,
    ),
    redpack_newest_dump_timestamp_seconds: await dumped().catch(() => undefined),
  }
}

/** Collectors give up after some seconds, and need the metrics most in trouble. */
const databaseMillisMax = 1_500
/** Simultaneous requests share one reading. */
const keptMillis = 1_000

/** Where the figures come from. */
interface FigureSources {
  /** What this process knows by itself. */
  here(): Omit<ServerFigures, 'now' | 'database' | 'books'>
  database(): Promise<DatabaseFigures>
  books(): Promise<BooksFigures>
}

/** Answers within two seconds; what the database has not given by then is undefined. */
export function figureReader(sources: FigureSources, clock: Clock): () => Promise<ServerFigures> {
  const readDatabase = shared(() => sources.database(), clock)
  const readBooks = shared(() => sources.books(), clock)
  return async () => {
    const [database, books] = await Promise.all([readDatabase(), readBooks()])
    return { now: clock.now(), ...sources.here(), database, books }
  }
}

/** One reading at a time, kept for a second; undefined when it fails or takes too long. */
function shared<Value>(read: () => Promise<Value>, clock: Clock): () => Promise<Value | undefined> {
  const readOnce = sharedRuns(read)
  let kept: { readonly value: Value; readonly at: Date } | undefined
  return async () => {
    const age = kept === undefined ? Number.NaN : clock.now().getTime() - kept.at.getTime()
    if (kept !== undefined && age >= 0 && age < keptMillis) return kept.value
    try {
      const value = await withinMillis(readOnce(), databaseMillisMax)
      kept = { value, at: clock.now() }
      return value
    } catch {
      return undefined
    }
  }
}
