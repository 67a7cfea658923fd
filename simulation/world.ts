// The whole product in one process of the machine: two processes of its own over one embedded
// database, in a world whose clock, chance and order of events are the seed's.

import type { FastifyInstance, InjectOptions } from 'fastify'
import { type Database, statement } from '../server/src/adapters/db/database.ts'
import type { Deps } from '../server/src/adapters/deps.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import {
  type EventListener,
  type Events,
  localEvents,
} from '../server/src/adapters/events/events.ts'
import type { Job } from '../server/src/adapters/jobs/job.ts'
import { createScheduler, type Scheduler } from '../server/src/adapters/jobs/scheduler.ts'
import { openLog } from '../server/src/adapters/log/log.ts'
import { openOutside } from '../server/src/adapters/outside.ts'
import { publicLog } from '../server/src/adapters/transparency-log/public-log.ts'
import { buildApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/config/config.ts'
import { productJobs } from '../server/src/jobs.ts'
import { emptyTestDatabase } from '../server/test/test-database.ts'
import { Chance, ProductRandom, ruleTime, SimulatedClock } from './chance.ts'
import { FarSides } from './far-sides.ts'
import {
  arrivals,
  type Fault,
  FaultyDatabase,
  farFailures,
  type ProcessState,
  type Severity,
} from './faults.ts'

/** A Monday, so that weeks begin where they should. */
export const begin = Date.parse('2026-01-05T06:00:00.000Z')
export const keeper = { username: 'keeper', password: 'correct horse battery' }
export const eventSecret = 'secret of events'

const config = {
  ...readConfig({
    ...{ SANDBOX: 'off', LOG_LEVEL: 'error', LOG_SIGNING_KEY: '10'.repeat(32) },
    ...{ TWITCH_CLIENT_ID: 'client', TWITCH_CLIENT_SECRET: 'secret' },
    ...{ TWITCH_EVENTSUB_SECRET: eventSecret, DISCORD_PUBLIC_KEY: 'ab'.repeat(32) },
    ...{ DISCORD_CLIENT_ID: 'client', DISCORD_CLIENT_SECRET: 'secret', DISCORD_BOT_TOKEN: 'token' },
    ...{ LOCAL_ADMIN_USERNAME: keeper.username, LOCAL_ADMIN_PASSWORD: keeper.password },
    ENCRYPTION_KEY: '5e'.repeat(32),
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
interface SimulatedProcess {
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
export type Place = Pick<World, 'far' | 'lastError' | 'unsettled' | 'db' | 'send' | 'restart'> & {
  readonly clock: { readonly millis: number }
  readonly random: Pick<ProductRandom, 'secrets'>
  readonly processes: readonly { number: number; database: ProcessState }[]
  /** True where one act follows the other, so that the model knows exactly what must come. */
  readonly isSerial: boolean
}

export class World {
  readonly isSerial = true
  /** What becomes known only when everything is quiet. */
  readonly unsettled: (() => Promise<void>)[] = []
  readonly random: ProductRandom
  readonly far: FarSides
  readonly processes: SimulatedProcess[] = []
  /** Encryption keys: the one that seals, and those before it. */
  readonly encryptionKeys = [config.encryptionKey ?? '']
  /** By how much the clock that jobs of a process go by is behind. */
  readonly behindMillis = [0, 0]
  /** What the product logged as its own fault. */
  lastError = ''
  crashes = 0
  /** The job that was seen to run twice at once. */
  doubled: string | undefined
  private readonly running = new Map<string, object>()
  private chance = new Chance('events')

  private constructor(
    readonly db: Database,
    readonly clock: SimulatedClock,
    private readonly severity: Severity,
  ) {
    this.random = new ProductRandom(clock)
    this.far = new FarSides(clock, farFailures(severity))
  }

  static async open(severity: Severity): Promise<World> {
    const clock = new SimulatedClock(begin)
    // The database must start in the time that it is told, which never goes back.
    ruleTime(clock)
    const world = new World(await emptyTestDatabase(), clock, severity)
    for (const number of [0, 1]) await world.start(number)
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
    const isRight = async (hash: string, given: string) => hash === given
    const { twitch, twitchIdentity, discord, discordLink } = this.far
    const [key = '', ...earlier] = this.encryptionKeys
    const deps: Deps = {
      ...openOutside(config, this.clock),
      ...{ twitch, twitchIdentity, discord, discordLink, config },
      passwords: { hash: async (password) => password, isRight },
      db: database.asDatabase(),
      ...{ clock: this.clock, random: this.random },
      encryption: encryptionWith(key, this.random, earlier),
      events: this.eventsOf(number, listeners),
      publicLog: publicLog(config),
      log: openLog(config, { write }),
    }
    const app = await buildApp(deps)
    await app.ready()
    const now = () => new Date(this.clock.millis - (this.behindMillis[number] ?? 0))
    const pause = (millis: number) => this.clock.pause(millis)
    const all = jobs.map((job) => this.alone(job))
    const scheduler = createScheduler({ ...deps, clock: { now, pause } }, all)
    const liveScheduler = createScheduler(
      deps,
      all.filter(({ name }) => soon.test(name)),
    )
    this.processes[number] = { number, app, database, scheduler, liveScheduler, listeners }
  }

  /** Starts a process anew on what the database has; everything it had in memory is gone. */
  async restart(number: number): Promise<void> {
    const process = this.processes[number]
    if (process === undefined) return
    process.database.isDead = true
    process.listeners.clear()
    this.running.clear()
    await this.stop(process)
    this.crashes += 1
    await this.start(number)
  }

  private async stop({ scheduler, liveScheduler, app }: SimulatedProcess): Promise<void> {
    await scheduler.stop()
    await liveScheduler.stop()
    await app.close()
  }

  async send(number: number, request: InjectOptions): Promise<Answer> {
    const process = this.processes[number]
    if (process === undefined) throw new RangeError(`There is no process ${number}`)
    const { statusCode, payload, headers } = await process.app.inject(request)
    return { status: statusCode, text: payload, headers }
  }

  async close(): Promise<void> {
    for (const process of this.processes) await this.stop(process)
    await this.db.close()
  }

  private eventsOf(number: number, listeners: Set<EventListener>): Events {
    return {
      ...localEvents(() => undefined),
      publish: (event) => {
        if (this.processes[number]?.database.isDead === true) return
        for (const listener of listeners) listener(event)
        for (const other of this.processes) {
          if (other.number === number) continue
          for (let left = arrivals(this.severity, this.chance); left > 0; left -= 1) {
            for (const listener of other.listeners) listener(event)
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
        if (this.running.has(job.name)) this.doubled = job.name
        const run = {}
        this.running.set(job.name, run)
        await job.run(deps, stopping).finally(() => {
          if (this.running.get(job.name) === run) this.running.delete(job.name)
        })
      },
    }
  }
}

/** Rows of any SQL, for looking where no call does. */
export function rowsOf<Row>(
  { db }: { db: Database },
  name: string,
  text: string,
  ...values: unknown[]
) {
  return db.run<Row>(statement(`simulation_${name}`, text), values)
}
