// The same habits and the same model on a real PostgreSQL: two real processes, everybody at once,
// and kill -9 in between. A seed fixes no order here; what the model allows still does.

import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { type Database, statement } from '../server/src/adapters/db/database.ts'
import { openPostgres } from '../server/src/adapters/db/postgres.ts'
import { withTemporaryDatabase } from '../server/src/adapters/db/temporary-database.ts'
import { loadSettings } from '../server/test/faults/keyed-load.ts'
import {
  buildServer,
  freePort,
  type ProductProcess,
  startProgram,
} from '../server/test/product-process.ts'
import { type Arguments, BadArguments } from './arguments.ts'
import { catalogueHabits } from './catalogue.ts'
import { Chance } from './chance.ts'
import { checkBooks, compareWithModel, LogReader } from './checks.ts'
import { claimHabits } from './claims.ts'
import { Disagreement } from './disagreement.ts'
import { FarSides } from './far-sides.ts'
import { foundStore } from './founding.ts'
import { grantHabits } from './grants.ts'
import type { Habit } from './habit.ts'
import { Model } from './model.ts'
import { type Person, personOf } from './person.ts'
import { Scene } from './scene.ts'
import { noteAccount } from './sign-in.ts'
import { SimulatedClock } from './simulated-clock.ts'
import { Story } from './story.ts'
import { viewerHabits } from './viewer.ts'
import type { Answer, Place } from './world.ts'

const defaultMinutes = 1
const killEveryMillis = 4_000
const patienceMillis = 15_000
/** What comes to the same in whatever order it happens. */
const anyOrder = /^(poll|open|open-twice|buy|buy-twice|give|give-by-file|move-claim)$/
const [viewersMax, staffCount] = [40, 2]

class RealPlace implements Place {
  readonly isSerial = false
  readonly clock = {
    get millis() {
      return Date.now()
    },
  }
  readonly random = { secrets: new Set<string>() }
  readonly far = new FarSides(new SimulatedClock(0), 0)
  readonly lastError = ''
  readonly unsettled: (() => Promise<void>)[] = []
  readonly processes = [0, 1].map((number) => ({
    number,
    database: { fault: undefined, met: undefined, isDead: false },
  }))
  readonly running: ProductProcess[] = []
  readonly db: Database
  kills = 0
  private readonly settings: readonly Record<string, string>[]

  constructor(db: Database, settings: readonly Record<string, string>[]) {
    this.db = db
    this.settings = settings
  }

  async start(number: number): Promise<void> {
    const started = startProgram('main', { ...this.settings[number], SEED_DEMO: 'off' })
    this.running[number] = started
    await started.ready()
  }

  async restart(number: number): Promise<void> {
    this.running[number]?.child.kill('SIGKILL')
    await this.running[number]?.exit
    this.kills += 1
    await this.start(number)
  }

  async stop(): Promise<void> {
    for (const { child, exit } of this.running) {
      child.kill('SIGKILL')
      await exit
    }
  }

  async send(number: number, { method, url, headers, payload }: InjectOptions): Promise<Answer> {
    const isRaw = payload instanceof Buffer
    const body =
      payload === undefined ? undefined : isRaw ? new Uint8Array(payload) : JSON.stringify(payload)
    try {
      const answer = await fetch(new URL(String(url), this.running[number]?.url), {
        method: method ?? 'GET',
        redirect: 'manual',
        headers: {
          ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
          ...(headers as Record<string, string>),
        },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(patienceMillis),
      })
      const text = await answer.text()
      const cookies = answer.headers.getSetCookie()
      const all = { ...Object.fromEntries(answer.headers), 'set-cookie': cookies }
      return { status: answer.status, text, headers: all }
    } catch {
      return { status: 0, text: '', headers: {} }
    }
  }

  rows<Row>(name: string, text: string, values: unknown[] = []): Promise<Row[]> {
    return this.db.run<Row>(statement(`simulation_${name}`, text), values)
  }
}

/** Somebody with an account and a session, as if they had signed in before. */
async function admit(scene: Scene, place: RealPlace, role: 'user' | 'admin') {
  const { person, model } = scene
  const [row] = await place.rows<{ id: number }>(
    'admit',
    `INSERT INTO users (twitch_id, username, display_name, role) VALUES ($1, $2, $2, $3)
     RETURNING id`,
    [person.twitchId, person.login, role],
  )
  const id = row?.id ?? 0
  const token = new Chance(`session ${person.name} ${Date.now()}`).bytes(32).toString('base64url')
  await place.rows(
    'open_session',
    `INSERT INTO sessions (token_hash, user_id, kind, created_at, last_seen_at, expires_at)
     VALUES ($1, $2, $3, now(), now(), now() + interval '10 hours')`,
    [createHash('sha256').update(token).digest('hex'), id, role === 'user' ? 'player' : 'staff'],
  )
  noteAccount(model, person, { id, username: person.login, role })
  model.set('session', token, { accountId: id, endsAt: Number.POSITIVE_INFINITY })
  person.accountId = id
  person.cookie = token
}

/** @throws BadArguments for a database that is in use or cannot be reached */
async function refuseUsed(url: string): Promise<void> {
  const db = openPostgres({ url, connectionsMax: 1, onError: () => undefined })
  try {
    const [row] = await db.run<{ tables: number }>(
      statement(
        'simulation_tables',
        `SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'`,
      ),
      [],
    )
    if (row?.tables !== 0) {
      throw new BadArguments('--database names one that has tables: name an empty one')
    }
  } finally {
    await db.close()
  }
}

/** Plays for `--minutes`, one by default. True when product and model agree. */
export async function playOnPostgres(
  given: Arguments,
  say: (line: string) => void,
): Promise<boolean> {
  const { database = '', plan } = given
  if (!URL.canParse(database))
    throw new BadArguments('--database must be the address of a database')
  await refuseUsed(database)
  await buildServer()
  return withTemporaryDatabase(database, 'redpack_simulation', async (url) => {
    const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'redpack-simulation-')))
    const db = openPostgres({ url, connectionsMax: 4, onError: () => undefined })
    const ports = [await freePort(), await freePort()]
    const place = new RealPlace(
      db,
      folders.map((folder, at) => loadSettings({ DATABASE_URL: url }, ports[at] ?? 0, folder)),
    )
    try {
      for (const number of [0, 1]) await place.start(number)
      return await new Evening(place, plan.seed, say).play(
        given.minutes ?? defaultMinutes,
        plan.viewers,
      )
    } finally {
      await place.stop()
      await db.close()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    }
  })
}

class Evening {
  private readonly model = new Model()
  private readonly story = new Story()
  private readonly people: Person[] = []
  private readonly place: RealPlace
  private readonly seed: number
  private readonly say: (line: string) => void
  private failure: Disagreement | undefined

  constructor(place: RealPlace, seed: number, say: (line: string) => void) {
    this.place = place
    this.seed = seed
    this.say = say
  }

  async play(minutes: number, viewers: number): Promise<boolean> {
    const { place, people, model } = this
    await foundStore(this.sceneOf(personOf('keeper', 0), 0))
    const lanes: (readonly [Person, readonly Habit[]])[] = []
    const habits = (all: readonly Habit[]) => all.filter(({ name }) => anyOrder.test(name))
    for (let at = 1; at <= Math.min(viewers, viewersMax) + staffCount; at += 1) {
      const isStaff = at <= staffCount
      const person = personOf(`${isStaff ? 'staff' : 'viewer'}-${at}`, at)
      people.push(person)
      await admit(this.sceneOf(person, 0), place, isStaff ? 'admin' : 'user')
      const staff = [...grantHabits, ...claimHabits, ...catalogueHabits]
      lanes.push([person, habits(isStaff ? staff : viewerHabits)])
    }
    const end = Date.now() + minutes * 60_000
    const killing = this.killUntil(end)
    await Promise.all(lanes.map(([person, own]) => this.live(person, own, end)))
    await killing
    await this.settle().catch((error: unknown) => this.note(error))
    const calls = [...this.story.counts.values()].reduce((sum, count) => sum + count, 0)
    this.say(
      `${calls} calls of ${lanes.length} people at once, ${place.kills} processes killed, ` +
        `${model.names('key').length} changes under keys acknowledged`,
    )
    if (this.failure !== undefined) {
      this.say(`Product and model disagree. The ${this.failure.whose} ${this.failure.message}`)
      for (const line of this.story.lastSteps(this.failure.people)) this.say(`  ${line}`)
    } else this.say('0 lost, 0 disagreements')
    return this.failure === undefined
  }

  private sceneOf(person: Person, turn: number): Scene {
    const { place: world, model, story, people, seed } = this
    const chance = new Chance(`${seed} ${person.name} ${turn}`)
    return new Scene({ world, model, story, people, person, chance, turn: `${turn}` })
  }

  private async live(person: Person, habits: readonly Habit[], end: number): Promise<void> {
    for (let turn = 1; Date.now() < end && this.failure === undefined; turn += 1) {
      const scene = this.sceneOf(person, turn)
      await scene.chance
        .pick(habits)
        .act(scene)
        .catch((error: unknown) => this.note(error))
    }
  }

  private note(error: unknown): void {
    if (!(error instanceof Disagreement)) throw error
    this.failure ??= error
  }

  private async killUntil(end: number): Promise<void> {
    const chance = new Chance(`${this.seed} kills`)
    while (Date.now() + killEveryMillis < end && this.failure === undefined) {
      await new Promise((resolve) => setTimeout(resolve, killEveryMillis))
      await this.place.restart(chance.between(0, 1))
    }
  }

  /** Everything is quiet: what nobody heard of is looked up, and all of it must add up. */
  private async settle(): Promise<void> {
    const { place, model } = this
    // What killed processes had sent ends before anything is looked up.
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    for (const lookUp of place.unsettled) await lookUp()
    await compareWithModel(place.db, model)
    await checkBooks(place.db, '7c'.repeat(32))
    await new LogReader().readOn(place.db)
  }
}
