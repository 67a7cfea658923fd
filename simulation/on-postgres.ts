// The same habits and the same model on a real PostgreSQL: two real processes, everybody at once,
// and kill -9 in between. A seed fixes no order here; what the model allows still does.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as rest } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import pg from 'pg'
import type { Database } from '../server/src/adapters/db/database.ts'
import { withTemporaryDatabase } from '../server/src/adapters/db/open.ts'
import { openPostgres } from '../server/src/adapters/db/postgres.ts'
import { loadSettings } from '../server/test/faults/keyed-load.ts'
import { signedIn } from '../server/test/faults/two-programs.ts'
import * as product from '../server/test/product-process.ts'
import { Chance, SimulatedClock } from './chance.ts'
import * as checks from './checks.ts'
import { FarSides } from './far-sides.ts'
import { foundStore, noteAccount } from './founding.ts'
import { Model, Person } from './model.ts'
import type { Plan } from './play.ts'
import { type Habit, Scene } from './scene.ts'
import { staffHabits } from './staff.ts'
import { asDisagreement, BadArguments, type Disagreement, Story } from './story.ts'
import { viewerHabits } from './viewer.ts'
import { type Answer, type Place, rowsOf } from './world.ts'

const [killEveryMillis, patienceMillis, quietMillis] = [4_000, 15_000, 6_000]
/** What comes to the same in whatever order it happens. */
const anyOrder = /^(poll|open|open-twice|buy|buy-twice|give|give-by-file|move-claim)$/
const [viewersMax, staffCount] = [40, 2]
const encryptionKey = '7c'.repeat(32)
const opened = (url: string) => openPostgres({ url, connectionsMax: 4, onError: () => undefined })

/** Plays for so many minutes. True when product and model agree. */
export async function playOnPostgres(
  database: string,
  plan: Plan,
  minutes: number,
  say: (line: string) => void,
): Promise<boolean> {
  const db = opened(database)
  const text = `SELECT 1 FROM pg_tables WHERE schemaname = 'public' LIMIT 1`
  const tables = await rowsOf({ db }, text).finally(() => db.close())
  if (tables.length > 0) {
    throw new BadArguments('--database names one that has tables: name an empty one')
  }
  await product.buildServer()
  return withTemporaryDatabase(database, 'redpack_simulation', async (url) => {
    const folder = mkdtempSync(join(tmpdir(), 'redpack-simulation-'))
    const sql = new pg.Client({ connectionString: url })
    const ports = [await product.freePort(), await product.freePort()]
    const settings = ports.map((port) =>
      loadSettings({ DATABASE_URL: url, SEED_DEMO: 'off' }, port, join(folder, String(port))),
    )
    const evening = new Evening(opened(url), sql, settings, plan)
    try {
      await sql.connect()
      return await evening.play(minutes, say)
    } finally {
      for (const number of [0, 1]) await evening.kill(number)
      await sql.end()
      await evening.db.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

class Evening implements Place {
  readonly seed: number
  readonly isSerial = false
  readonly random = { secrets: new Set<string>() }
  readonly far = new FarSides(new SimulatedClock(0), 0)
  readonly lastError = ''
  readonly unsettled: Place['unsettled'] = []
  readonly model = new Model()
  readonly story = new Story()
  readonly people: Person[] = []
  readonly processes = [0, 1].map((number) => ({
    number,
    database: { fault: undefined, met: undefined, isDead: false, meet: () => undefined },
    send: (request: InjectOptions) => this.send(number, request),
  }))
  private readonly running: product.ProductProcess[] = []
  private failure: Disagreement | undefined
  private kills = 0

  constructor(
    readonly db: Database,
    private readonly sql: pg.Client,
    private readonly settings: readonly Record<string, string>[],
    private readonly plan: Plan,
  ) {
    this.seed = plan.seed
  }

  get clock() {
    return { millis: Date.now() }
  }

  async kill(number: number): Promise<void> {
    this.running[number]?.child.kill('SIGKILL')
    await this.running[number]?.exit
  }

  async restart(number: number): Promise<void> {
    await this.kill(number)
    const started = product.startProgram('main', this.settings[number] ?? {})
    this.running[number] = started
    await started.ready()
  }

  private async send(number: number, request: InjectOptions): Promise<Answer> {
    const { method = 'GET', url, payload } = request
    const isJson = payload !== undefined && !(payload instanceof Buffer)
    const type = isJson && { 'content-type': 'application/json' }
    const init = {
      ...{ method, headers: { ...type, ...(request.headers as Record<string, string>) } },
      body: isJson ? JSON.stringify(payload) : (payload as Uint8Array<ArrayBuffer> | undefined),
      signal: AbortSignal.timeout(patienceMillis),
    }
    try {
      const answer = await fetch(new URL(String(url), this.running[number]?.url), init)
      const cookies = { 'set-cookie': answer.headers.getSetCookie() }
      const headers = { ...Object.fromEntries(answer.headers), ...cookies }
      return { status: answer.status, text: await answer.text(), headers }
    } catch {
      return { status: 0, text: '', headers: {} }
    }
  }

  async play(minutes: number, say: (line: string) => void): Promise<boolean> {
    const { model, story, plan } = this
    for (const { number } of this.processes) await this.restart(number)
    await foundStore(new Scene(this, new Person('keeper', 0), 0))
    const lanes: [Person, readonly Habit[]][] = []
    for (let at = 1; at <= Math.min(plan.viewers, viewersMax) + staffCount; at += 1) {
      const [name, habits] = at <= staffCount ? ['staff', staffHabits] : ['viewer', viewerHabits]
      const own = habits.filter((one) => anyOrder.test(one.name))
      lanes.push([await this.admit(`${name}-${at}`, at), own])
    }
    const end = Date.now() + minutes * 60_000
    const lives = lanes.map(([person, habits]) => this.live(person, habits, end))
    await Promise.all([...lives, this.killUntil(end)])
    await this.settle().catch((error: unknown) => this.note(error))
    say(`${story.calls} calls of ${lanes.length} people at once, ${this.kills} processes killed`)
    say(`${model.keys.all().length} changes under keys acknowledged`)
    const { failure } = this
    if (failure === undefined) say('0 lost, 0 disagreements')
    else {
      say(`Product and model disagree. The product ${failure.message}`)
      say(`Which side is wrong? ${await checks.verdictOf(failure, this.db, model, encryptionKey)}`)
      for (const line of story.lastSteps(failure.people)) say(`  ${line}`)
    }
    return failure === undefined
  }

  /** Somebody with an account and a session, as if they had signed in before. */
  private async admit(name: string, at: number): Promise<Person> {
    const role = name.startsWith('staff') ? 'admin' : 'user'
    const { id, name: username, cookie: pair } = await signedIn({ sql: this.sql }, role)
    const cookie = pair.slice('sid='.length)
    const own = { login: username, accountId: id, cookie }
    const person = Object.assign(new Person(name, at), own)
    this.people.push(person)
    noteAccount(new Scene(this, person, 0), { id, username, role })
    this.model.sessions.set(cookie, { accountId: id, endsAt: Number.POSITIVE_INFINITY })
    return person
  }

  private async live(person: Person, habits: readonly Habit[], end: number): Promise<void> {
    for (let turn = 1; Date.now() < end && this.failure === undefined; turn += 1) {
      const scene = new Scene(this, person, turn)
      await scene.live(scene.chance.pick(habits)).catch((error: unknown) => this.note(error))
    }
  }

  private note(error: unknown): void {
    this.failure ??= asDisagreement(error)
  }

  private async killUntil(end: number): Promise<void> {
    const chance = new Chance(`${this.seed} kills`)
    for (; Date.now() + killEveryMillis < end && !this.failure; this.kills += 1) {
      await rest(killEveryMillis)
      await this.restart(chance.between(0, 1))
    }
  }

  /** Everything is quiet: what nobody heard of is looked up, and all of it must add up. */
  private async settle(): Promise<void> {
    // What killed processes had sent ends before anything is looked up.
    await rest(quietMillis)
    for (const lookUp of this.unsettled) await lookUp()
    await checks.compareWithModel(this.db, this)
    await checks.checkBooks(this.db, encryptionKey)
    await checks.readOn(checks.newReplay(), this.db)
  }
}
