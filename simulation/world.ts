// The whole product in one process of the machine: two processes of its own over one embedded
// database, in a world whose clock, chance and order of events are the seed's.

import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Database } from '../server/src/adapters/db/database.ts'
import { statement } from '../server/src/adapters/db/database.ts'
import type { Deps } from '../server/src/adapters/deps.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import type { EventListener, Events, ProductEvent } from '../server/src/adapters/events/events.ts'
import { localEvents } from '../server/src/adapters/events/events.ts'
import type { Job } from '../server/src/adapters/jobs/job.ts'
import { createScheduler, type Scheduler } from '../server/src/adapters/jobs/scheduler.ts'
import { openLog } from '../server/src/adapters/log/log.ts'
import { openOutside } from '../server/src/adapters/outside.ts'
import { publicLog } from '../server/src/adapters/transparency-log/public-log.ts'
import { buildApp } from '../server/src/app.ts'
import { type Config, readConfig } from '../server/src/config/config.ts'
import { productJobs } from '../server/src/jobs.ts'
import { embeddedTestDatabase } from '../server/test/test-database.ts'
import { Chance, ProductRandom } from './chance.ts'
import { Disagreement } from './disagreement.ts'
import { FarSides } from './far-sides.ts'
import { arrivals, type Fault, FaultyDatabase, farFailures, type Severity } from './faults.ts'
import { ruleTime, SimulatedClock } from './simulated-clock.ts'

/** A Monday, so that weeks begin where they should. */
const begin = Date.parse('2026-01-05T06:00:00.000Z')
const processCount = 2
export const keeper = { username: 'keeper', password: 'correct horse battery' }

const config: Config = {
  ...readConfig({
    SANDBOX: 'off',
    TWITCH_CLIENT_ID: 'client',
    TWITCH_CLIENT_SECRET: 'secret',
    TWITCH_EVENTSUB_SECRET: 'secret of events',
    DISCORD_CLIENT_ID: 'client',
    DISCORD_CLIENT_SECRET: 'secret',
    DISCORD_BOT_TOKEN: 'token',
    DISCORD_PUBLIC_KEY: 'ab'.repeat(32),
    LOCAL_ADMIN_USERNAME: keeper.username,
    LOCAL_ADMIN_PASSWORD: keeper.password,
    ENCRYPTION_KEY: '5e'.repeat(32),
    LOG_SIGNING_KEY: '10'.repeat(32),
    LOG_LEVEL: 'error',
  }),
  rateLimits: false,
}

/** What costs more than it shows here: the simulation looks at all books itself. */
const rare = /^(overview-(check-books|look-at-new-rows)|auth-validate-sign-ins)$/
const soon = /^(streams-poll-live|chat-bot-send-messages|discord-post-rewards)$/
const jobs = productJobs().map((job) =>
  rare.test(job.name) ? { ...job, everySeconds: 43_200 } : job,
)

/** One process of the product; it can die at any statement. */
export interface SimulatedProcess {
  readonly number: number
  readonly app: FastifyInstance
  readonly database: FaultyDatabase
  readonly scheduler: Scheduler
  /** What cannot wait as long as the others while somebody watches. */
  readonly liveScheduler: Scheduler
  readonly listeners: Set<EventListener>
}

export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
}

/** What an act needs of the world it happens in. */
export interface Place {
  /** True where one act follows the other, so that the model knows exactly what must come. */
  readonly isSerial: boolean
  readonly clock: { readonly millis: number }
  readonly random: { readonly secrets: Set<string> }
  readonly far: FarSides
  readonly lastError: string
  readonly processes: readonly {
    readonly number: number
    readonly database: Pick<FaultyDatabase, 'fault' | 'met' | 'isDead'>
  }[]
  /** What becomes known only when everything is quiet. */
  readonly unsettled: (() => Promise<void>)[]
  send(process: number, request: InjectOptions): Promise<Answer>
  restart(process: number): Promise<void>
  rows<Row>(name: string, text: string, values?: unknown[]): Promise<Row[]>
}

export class World implements Place {
  readonly isSerial = true
  readonly unsettled = []
  readonly clock = new SimulatedClock(begin)
  readonly random = new ProductRandom(this.clock)
  readonly far: FarSides
  readonly severity: Severity
  readonly processes: SimulatedProcess[] = []
  /** What the product logged as its own fault. */
  lastError = ''
  crashes = 0
  db!: Database
  private readonly encryption = encryptionWith(config.encryptionKey, this.random)
  /** What was seen while nobody asked, such as two runs of one job. */
  found: Disagreement | undefined
  private readonly running = new Map<string, object>()
  private chance = new Chance('events')

  private constructor(severity: Severity) {
    this.severity = severity
    this.far = new FarSides(this.clock, farFailures[severity])
    ruleTime(this.clock)
  }

  static async open(severity: Severity): Promise<World> {
    const world = new World(severity)
    // It must have started in the time that it is told, which never goes back.
    world.db = await embeddedTestDatabase()
    for (let number = 0; number < processCount; number += 1) await world.start(number)
    return world
  }

  /** Seeds of everything that an act may set off. */
  begin(act: string, fault?: Fault): void {
    this.random.begin(act)
    this.far.begin(act)
    this.chance = new Chance(`events ${act}`)
    for (const { database } of this.processes) database.begin(fault)
  }

  async start(number: number): Promise<void> {
    const listeners = new Set<EventListener>()
    const database = new FaultyDatabase(this.db)
    const write = (line: string) => {
      this.lastError = line.trim()
    }
    const outside = openOutside(config, this.clock)
    const plain = { hash: async (password: string) => password }
    const passwords = { ...plain, isRight: async (hash: string, given: string) => hash === given }
    const { twitch, twitchIdentity, discord, discordLink } = this.far
    const deps: Deps = {
      ...outside,
      ...{ twitch, twitchIdentity, discord, discordLink, passwords, config },
      db: database.asDatabase(),
      clock: this.clock,
      random: this.random,
      encryption: this.encryption,
      events: this.eventsOf(number, listeners),
      publicLog: publicLog(config),
      log: openLog(config, { write }),
    }
    const app = await buildApp(deps)
    await app.ready()
    const schedulerOf = (some: readonly Job[]) =>
      createScheduler(
        deps,
        some.map((job) => this.alone(job)),
      )
    const liveScheduler = schedulerOf(jobs.filter(({ name }) => soon.test(name)))
    const scheduler = schedulerOf(jobs)
    this.processes[number] = { number, app, database, scheduler, liveScheduler, listeners }
  }

  /** Starts a process anew on what the database has; everything it had in memory is gone. */
  async restart(number: number): Promise<void> {
    const process = this.processes[number]
    if (process === undefined) return
    process.database.isDead = true
    process.listeners.clear()
    this.running.clear()
    await process.scheduler.stop()
    await process.liveScheduler.stop()
    await process.app.close()
    this.crashes += 1
    await this.start(number)
  }

  async send(number: number, request: InjectOptions): Promise<Answer> {
    const process = this.processes[number]
    if (process === undefined) throw new RangeError(`There is no process ${number}`)
    const { statusCode, payload, headers } = await process.app.inject(request)
    return { status: statusCode, text: payload, headers }
  }

  rows<Row>(name: string, text: string, values: unknown[] = []): Promise<Row[]> {
    return this.db.run<Row>(statement(`simulation_${name}`, text), values)
  }

  async close(): Promise<void> {
    for (const { app, scheduler } of this.processes) {
      await scheduler.stop()
      await app.close()
    }
    await this.db.close()
  }

  private eventsOf(number: number, listeners: Set<EventListener>): Events {
    const tell = (to: Iterable<EventListener>, event: ProductEvent) => {
      for (const listener of to) listener(event)
    }
    return {
      ...localEvents(() => undefined),
      publish: (event) => {
        if (this.processes[number]?.database.isDead === true) return
        tell(listeners, event)
        for (const other of this.processes) {
          if (other.number === number) continue
          for (let left = arrivals(this.severity, this.chance); left > 0; left -= 1) {
            tell(other.listeners, event)
          }
        }
      },
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
  }

  /** The job, which must never run twice at the same time. */
  private alone(job: Job): Job {
    return {
      ...job,
      run: async (deps, stopping) => {
        if (this.running.has(job.name)) {
          this.found = new Disagreement('product', `two processes run ${job.name} at once`, [])
        }
        const run = {}
        this.running.set(job.name, run)
        try {
          await job.run(deps, stopping)
        } finally {
          if (this.running.get(job.name) === run) this.running.delete(job.name)
        }
      },
    }
  }
}
