// The whole product in one process of the machine: two processes of its own over one embedded
// database, in a world whose clock, chance and order of events are the seed's.

import { createHash } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { type Database, statement } from '../server/src/adapters/db/database.ts'
import type { Deps } from '../server/src/adapters/deps.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { type Events, localEvents } from '../server/src/adapters/events/events.ts'
import { createScheduler, type Job } from '../server/src/adapters/jobs/scheduler.ts'
import { openLog } from '../server/src/adapters/log/log.ts'
import { openOutside } from '../server/src/adapters/outside.ts'
import { publicLog } from '../server/src/adapters/transparency-log/public-log.ts'
import { buildApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/config/config.ts'
import { productJobs } from '../server/src/jobs.ts'
import { emptyEmbeddedDatabase } from '../server/test/test-database.ts'
import { begin, Chance, ProductRandom, ruleTime, SimulatedClock } from './chance.ts'
import { FarSides } from './far-sides.ts'
import {
  type Fault,
  FaultyDatabase,
  otherFaults,
  type ProcessState,
  type Severity,
} from './faults.ts'
import { Model, type Person } from './model.ts'
import type { Story } from './story.ts'

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
const soon = /^(streams-poll-live|outbox-send-(chat|post)|discord-plan-posts)$/
const jobs = productJobs().map((job) =>
  rare.test(job.name) ? { ...job, everySeconds: 43_200 } : job,
)

export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
}

/** What an act needs of the world it happens in. */
export type Place = Pick<
  World,
  'seed' | 'far' | 'lastError' | 'unsettled' | 'db' | 'model' | 'story' | 'people' | 'restart'
> & {
  /** True where one act follows the other, so that the model knows exactly what must come. */
  readonly isSerial: boolean
  readonly clock: { readonly millis: number }
  readonly random: Pick<ProductRandom, 'secrets'>
  readonly processes: readonly (Pick<SimulatedProcess, 'number' | 'send'> & {
    database: ProcessState
  })[]
}

/** One process of the product; it can die at any statement. */
type SimulatedProcess = Awaited<ReturnType<World['start']>>

export class World {
  readonly isSerial = true
  /** What becomes known only when everything is quiet. */
  readonly unsettled: (() => Promise<void>)[] = []
  readonly model = new Model()
  /** Everybody who takes part. */
  readonly people: Person[] = []
  readonly random: ProductRandom
  readonly far: FarSides
  readonly processes: SimulatedProcess[] = []
  /** Encryption keys: the one that seals, and those before it. */
  readonly encryptionKeys: [string, ...string[]] = [config.encryptionKey ?? '']
  /** By how much the clock that jobs of a process go by is behind. */
  readonly behindMillis = [0, 0]
  /** What the product logged as its own fault. */
  lastError = ''
  crashes = 0
  /** The job that was seen to run twice at once. */
  doubled: string | undefined
  private readonly running = new Set<string>()
  private chance = new Chance('events')

  private constructor(
    readonly db: Database,
    readonly clock: SimulatedClock,
    readonly seed: number,
    private readonly severity: Severity,
    readonly story: Story,
  ) {
    this.random = new ProductRandom(clock)
    this.far = new FarSides(clock, otherFaults(severity))
  }

  static async open(seed: number, severity: Severity, story: Story): Promise<World> {
    const clock = new SimulatedClock(begin)
    // The database must start in the time that it is told, which never goes back.
    ruleTime(clock)
    const world = new World(await emptyEmbeddedDatabase(), clock, seed, severity, story)
    for (const number of [0, 1]) world.processes[number] = await world.start(number)
    return world
  }

  /** Seeds of everything that an act may set off. */
  begin(act: string, fault?: Fault): void {
    this.random.begin(act)
    this.far.begin(act)
    this.chance = new Chance(`events ${act}`)
    for (const { database } of this.processes) database.begin(fault)
  }

  async start(number: number) {
    const database = new FaultyDatabase(this.db)
    const events = localEvents(() => undefined)
    const write = (line: string) => {
      this.lastError = line.trim()
    }
    const isRight = async (hash: string, given: string) => hash === given
    const { twitch, twitchIdentity, discord, discordLink, mailer } = this.far
    const [key, ...earlier] = this.encryptionKeys
    const deps: Deps = {
      ...openOutside(config, this.clock),
      ...{ twitch, twitchIdentity, discord, discordLink, mailer, config },
      passwords: { hash: async (password) => password, isRight },
      db: database.asDatabase(),
      ...{ clock: this.clock, random: this.random },
      encryption: encryptionWith(key, this.random, earlier),
      events: { ...events, publish: (event) => this.publish(number, event) },
      publicLog: publicLog(config),
      log: openLog(config, { write }),
    }
    const app = await buildApp(deps)
    await app.ready()
    const now = () => new Date(this.clock.millis - (this.behindMillis[number] ?? 0))
    const all = jobs.map((job) => this.alone(job))
    const scheduler = createScheduler({ ...deps, clock: { ...this.clock, now } }, all)
    // What cannot wait as long as the others while somebody watches.
    const live = all.filter(({ name }) => soon.test(name))
    const liveScheduler = createScheduler(deps, live)
    const send = async (request: InjectOptions): Promise<Answer> => {
      const { statusCode: status, payload: text, headers } = await app.inject(request)
      return { status, text, headers }
    }
    return { number, database, app, scheduler, liveScheduler, events, send }
  }

  /** Starts a process anew on what the database has; everything it had in memory is gone. */
  async restart(number: number): Promise<void> {
    const process = this.processes[number] as SimulatedProcess
    process.database.isDead = true
    await this.stop(process)
    this.crashes += 1
    this.processes[number] = await this.start(number)
  }

  private async stop({ scheduler, liveScheduler, app, events }: SimulatedProcess): Promise<void> {
    await events.close()
    await scheduler.stop()
    await liveScheduler.stop()
    await app.close()
  }

  async close(): Promise<void> {
    for (const process of this.processes) await this.stop(process)
    await this.db.close()
  }

  /** Tells this process; the other hears of it once, as it should, or not at all, or twice. */
  private publish(number: number, event: Parameters<Events['publish']>[0]): void {
    if (this.processes[number]?.database.isDead === true) return
    for (const { number: other, events } of this.processes) {
      const isLate = other !== number && this.chance.isLikely(otherFaults(this.severity))
      let left = isLate ? this.chance.pick([0, 2]) : 1
      for (; left > 0; left -= 1) events.publish(event)
    }
  }

  /** The job, which must never run twice at the same time. */
  private alone(job: Job): Job {
    const run: Job['run'] = async (deps, stopping) => {
      if (this.running.has(job.name)) this.doubled = job.name
      this.running.add(job.name)
      await job.run(deps, stopping).finally(() => this.running.delete(job.name))
    }
    return { ...job, run }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: rows and answers are read field by field
export type Body = any

/** Rows of any SQL, for looking where no call does. */
export function rowsOf({ db }: { db: Database }, text: string, ...values: unknown[]) {
  const name = createHash('sha1').update(text).digest('hex').slice(0, 20)
  return db.run<Body>(statement(`simulation_${name}`, text), values)
}
