// Keeps a number of processes running: starts them, restarts those that end, and stops them all.

import type { Worker } from 'node:cluster'
import type { FastifyBaseLogger } from 'fastify'
import { withinMillis } from '../adapters/clock/clock.ts'
import type { ProcessLink } from '../adapters/processes/process-link.ts'

export interface ProcessEnd {
  readonly code: number | null
  readonly signal: string | null
  /** What kept it from being started, for one that never ran. */
  readonly reason?: string
}

export interface StartedProcess {
  readonly pid: number
  readonly link: ProcessLink
  /** Resolved when it serves; never rejected. */
  readonly ready: Promise<void>
  /** Resolved when it has ended; never rejected. */
  readonly end: Promise<ProcessEnd>
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
}

export interface SupervisorOptions {
  /** How many processes are to serve. */
  readonly count: number
  /** Starts the process of a place, counted from 1. */
  readonly start: (place: number) => StartedProcess
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /** No process serves and none can be started any more. */
  readonly onGivenUp: (why: string) => void
}

/** A process of the first start has ended before it served. */
export class StartFailed extends Error {}

interface Place {
  readonly number: number
  current: { readonly process: StartedProcess; readonly startMillis: number } | undefined
  isServing: boolean
  /** Now or before. */
  hasServed: boolean
  failuresInRow: number
  timer: NodeJS.Timeout | undefined
}

const killedMillisMax = 1_000

export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #places: readonly Place[]
  #restarts = 0
  #isStarted = false
  #isStopping = false

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#places = Array.from({ length: options.count }, (_, index) => ({
      number: index + 1,
      current: undefined,
      isServing: false,
      hasServed: false,
      failuresInRow: 0,
      timer: undefined,
    }))
  }

  /**
   * Starts the first process alone, since it brings the database up to date and says what is wrong
   * with the settings, and then the others.
   * @throws StartFailed when one ends before it serves; the others go on until `stop`
   */
  async start(): Promise<void> {
    const [first, ...others] = this.#places
    if (first !== undefined) await this.#startFirst(first)
    await Promise.all(others.map((place) => this.#startFirst(place)))
    this.#isStarted = true
  }

  /** Processes that serve now. */
  serving(): readonly StartedProcess[] {
    return this.running().filter((process) =>
      this.#places.some(({ current, isServing }) => isServing && current?.process === process),
    )
  }

  /** Processes that have not ended, whether they serve yet or not. */
  running(): readonly StartedProcess[] {
    return this.#places.flatMap(({ current }) => (current === undefined ? [] : [current.process]))
  }

  get wanted(): number {
    return this.#places.length
  }

  get restarts(): number {
    return this.#restarts
  }

  /**
   * Asks every process to end with grace and waits for them; after `millisMax` the rest is killed.
   * Answers whether all have ended well.
   */
  async stop(millisMax: number): Promise<boolean> {
    this.#isStopping = true
    for (const { timer } of this.#places) clearTimeout(timer)
    const processes = this.running()
    for (const process of processes) process.kill('SIGTERM')
    const ends = Promise.all(processes.map(({ end }) => end))
    try {
      return (await withinMillis(ends, millisMax)).every(({ code }) => code === 0)
    } catch {
      const left = this.running()
      for (const { pid } of left) {
        this.#options.log.error({ event: 'process_killed', pid }, 'a process did not end in time')
      }
      for (const process of left) process.kill('SIGKILL')
      await withinMillis(ends, killedMillisMax).catch(() => undefined)
      return false
    }
  }

  async #startFirst(place: Place): Promise<void> {
    const isServing = await this.#launch(place)
    if (isServing || this.#isStopping) return
    throw new StartFailed(
      `Process ${place.number} of ${this.#options.count} did not start: see the lines above`,
    )
  }

  /** Answers true when the process serves, false when it ends first. */
  #launch(place: Place): Promise<boolean> {
    if (this.#isStopping) return Promise.resolve(false)
    const startMillis = performance.now()
    let process: StartedProcess
    try {
      process = this.#options.start(place.number)
    } catch (error) {
      // The others serve on: this place is tried again like any other that has ended.
      this.#ended(place, { pid: 0, startMillis }, neverRan(error as Error))
      return Promise.resolve(false)
    }
    const current = { process, startMillis }
    place.current = current
    const told = { process: place.number, pid: process.pid }
    this.#options.log.info({ event: 'process_started', ...told }, 'a process was started')
    void process.end.then((end) => this.#ended(place, { pid: told.pid, startMillis }, end))
    const ready = process.ready.then(() => {
      if (place.current !== current) return false
      place.isServing = true
      place.hasServed = true
      this.#options.log.info({ event: 'process_ready', ...told }, 'a process serves')
      return true
    })
    return Promise.race([ready, process.end.then(() => false)])
  }

  #ended(
    place: Place,
    { pid, startMillis }: { readonly pid: number; readonly startMillis: number },
    end: ProcessEnd,
  ): void {
    const ranMillis = performance.now() - startMillis
    const told = { event: 'process_ended', process: place.number, pid, why: wordFor(end) }
    place.current = undefined
    place.isServing = false
    if (this.#isStopping) {
      this.#options.log.info(told, 'a process has ended')
      return
    }
    // Whoever waits for the start hears of it there; one that never ran has not said why itself.
    if (!this.#isStarted && !place.hasServed) {
      if (end.reason !== undefined) this.#options.log.error(told, 'a process cannot be started')
      return
    }
    place.failuresInRow = failuresAfter(place.failuresInRow, ranMillis)
    if (shouldGiveUp(place.failuresInRow, this.serving().length > 0)) {
      this.#options.onGivenUp(
        `No process serves any more, and ${place.failuresInRow} starts in a row have failed: see ` +
          'the lines above',
      )
      return
    }
    const pauseMillis = restartPause(place.failuresInRow)
    this.#options.log.warn({ ...told, pauseMillis }, 'a process has ended and is started again')
    this.#restarts += 1
    place.timer = setTimeout(() => void this.#launch(place), pauseMillis)
  }
}

function wordFor({ code, signal, reason }: ProcessEnd): string {
  return reason ?? signal ?? `code ${code}`
}

/** The end of a process that the machine would not start. */
function neverRan({ code, message }: NodeJS.ErrnoException): ProcessEnd {
  return { code: null, signal: null, reason: code ?? message }
}

export function endOf(worker: Worker): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    // Of one that could not be forked nothing else is ever heard.
    worker.on('error', (error) => worker.process.pid === undefined && resolve(neverRan(error)))
    worker.once('exit', (code: number | null, signal: string | null) => resolve({ code, signal }))
  })
}

interface Handle {
  close(): void
}

/** What a process is sent, with a connection at times, or with what is called once it is sent. */
interface Sender {
  send(message: unknown, handle?: Handle | (() => void), ...more: unknown[]): boolean
}

/**
 * Ends the connection that a process was handed and had not taken when it ended: Node waits for
 * word of it for ever, and whoever has connected with it.
 */
export function endUntaken(worker: Worker): void {
  if (worker.process.pid === undefined) return
  const process = worker.process as Sender
  const send = process.send.bind(process)
  let handed: Handle | undefined
  // One at a time is under way. To close one that was taken, and so is closed, does nothing.
  process.send = (message, handle, ...more) => {
    if (typeof handle === 'object') handed = handle ?? handed
    return send(message, handle, ...more)
  }
  worker.once('exit', () => handed?.close())
}

const pauseMillisMin = 200
const pauseMillisMax = 10_000
/** A process that served for so long has not failed to start. */
const steadyMillis = 60_000
const failuresMax = 5

/** How often in a row a process has ended soon after its start. */
export function failuresAfter(failuresBefore: number, ranMillis: number): number {
  return ranMillis >= steadyMillis ? 0 : failuresBefore + 1
}

/** How long to wait before the next start, in milliseconds; it doubles from failure to failure. */
export function restartPause(failuresInRow: number): number {
  const doublings = Math.min(Math.max(0, failuresInRow - 1), 16)
  return Math.min(pauseMillisMin * 2 ** doublings, pauseMillisMax)
}

/**
 * As long as one process serves, another start costs nobody anything. With none left, a supervisor
 * above this one must see that nothing works.
 */
export function shouldGiveUp(failuresInRow: number, othersServe: boolean): boolean {
  return !othersServe && failuresInRow >= failuresMax
}
