// One actor at one moment: what they send, and what every answer must keep to.

import type { InjectOptions } from 'fastify'
import type { Chance } from './chance.ts'
import { Disagreement } from './disagreement.ts'
import type { Model, Session } from './model.ts'
import type { Person } from './person.ts'
import type { Story } from './story.ts'
import type { Answer, Place } from './world.ts'

/** A process that has not heard of a change believes its memory of a session for so long. */
const memoryMillis = 2_000
/** What names one of many in an address. */
const named = /\/(\d+|PR-\w+|[\da-f-]{36,64})(?=\/|$)/g

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly body?: unknown
  readonly key?: string | undefined
  /** Another session than the person's own; the empty text is none. */
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Heard extends Answer {
  readonly body: Body
  /** False when nobody knows what came of it. */
  readonly isHeard: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field, as scripts do
export type Body = any

type Parts = Pick<Moment, 'world' | 'model' | 'story' | 'person' | 'people' | 'chance' | 'turn'>

export class Moment {
  readonly world: Place
  readonly model: Model
  readonly story: Story
  readonly person: Person
  readonly chance: Chance
  readonly turn: string
  /** Everybody who takes part. */
  readonly people: readonly Person[]

  constructor(parts: Parts) {
    this.people = parts.people
    this.world = parts.world
    this.model = parts.model
    this.story = parts.story
    this.person = parts.person
    this.chance = parts.chance
    this.turn = parts.turn
  }

  get now(): number {
    return this.world.clock.millis
  }

  /** Whether something in this act is about to go wrong. */
  get isRisky(): boolean {
    return this.world.processes.some(({ database }) => database.fault !== undefined)
  }

  /** The person's account; they must be signed in. */
  get accountId(): number {
    const { accountId } = this.person
    if (accountId === undefined) throw new Error(`${this.person.name} has no account`)
    return accountId
  }

  tell(words: string): void {
    this.story.tell(this.now, this.person.name, words)
  }

  /** @throws Disagreement with what the product did unless it is so */
  check(isSo: boolean, what: string, whose: Disagreement['whose'] = 'product'): void {
    if (!isSo) throw new Disagreement(whose, what, [this.person.name])
  }

  /** The same where nothing else happens at the same time. */
  checkWhenAlone(isSo: boolean, what: string): void {
    if (this.world.isSerial) this.check(isSo, what)
  }

  /** A key that nobody used, for most calls; some come without. */
  key(): string | undefined {
    return !this.world.isSerial || this.chance.isLikely(0.9)
      ? `${this.person.name}-${this.turn}`
      : undefined
  }

  /** Reads; undefined when a fault kept the answer away. */
  async read(url: string): Promise<Body | undefined> {
    const heard = await this.call({ url })
    if (!heard.isHeard) return undefined
    this.check(heard.status === 200, `answers ${heard.status} to GET ${url}: ${heard.text}`)
    return heard.body
  }

  async call(request: Request): Promise<Heard> {
    const { world } = this
    const process = this.chance.pick(world.processes)
    const { database } = process
    const { method = 'GET', url } = request
    this.story.count(`${method} ${url.replace(/\?.*/, '').replace(named, '/…')}`)
    const answer = await world.send(process.number, this.injected(request))
    const isLost = database.fault?.kind === 'answer lost' && answer.status < 500
    if (isLost) database.met = database.fault
    if (isLost) database.fault = undefined
    const isFault = database.met !== undefined
    if (answer.status >= 500 && !isFault && world.isSerial) {
      const said = `answers ${answer.status} to ${method} ${url} without a fault`
      this.check(false, `${said}: ${world.lastError.slice(0, 600)}`)
    }
    const isHeard = !isLost && !database.isDead && answer.status > 0 && answer.status < 500
    if (world.processes[process.number] === process && database.isDead) {
      await this.bringBack(process)
    }
    if (isHeard) this.checkAccess(request, answer.status)
    await this.checkSecrets(answer.text, url)
    return { ...answer, isHeard, body: bodyOf(answer.text) }
  }

  private async bringBack(process: Place['processes'][number]): Promise<void> {
    this.tell(`process ${process.number} dies and is started again`)
    await this.world.restart(process.number)
  }

  private injected({ method = 'GET', url, body, key, cookie, headers }: Request): InjectOptions {
    const session = cookie ?? this.person.cookie
    return {
      method,
      url,
      headers: {
        ...(session ? { cookie: session.includes('=') ? session : `sid=${session}` } : {}),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body as NonNullable<InjectOptions['payload']> }),
    }
  }

  /** Who has no session gets nothing, who has one gets in, and staff are who the model says. */
  private checkAccess({ url, cookie }: Request, status: number): void {
    const token = cookie ?? this.person.cookie ?? ''
    if (!url.startsWith('/api/') || url.startsWith('/api/auth/') || token.includes('=')) return
    if (/^\/api\/(fairness\/tables|fairness\/observed|discord\/inter|twitch\/eventsub)/.test(url))
      return
    const session = this.model.get('session', token)
    const left = leftOf(session, this.now)
    if (left <= -memoryMillis)
      this.check(status === 401, `lets a session in that has ended (${url})`)
    if (left <= 0 || session === undefined) return
    this.check(status !== 401, `refuses a session that has not ended (${url})`)
    const account = this.model.get('account', session.accountId)
    if (!url.startsWith('/api/admin/') || account?.role !== 'user') return
    const isRecent = this.now - account.roleSince <= memoryMillis
    this.check(status === 403 || isRecent, `lets somebody in who is no staff (${url})`)
  }

  /** No text shows a seed whose draw is still to come. */
  private async checkSecrets(text: string, url: string): Promise<void> {
    for (const [hex] of text.matchAll(/[\da-f]{64}/g)) {
      if (!this.world.random.secrets.has(hex)) continue
      const [row] = await this.world.rows<{ yes: boolean }>(
        'is_seed_shown',
        `SELECT EXISTS (SELECT 1 FROM opening_requests WHERE server_seed = $1)
           OR EXISTS (SELECT 1 FROM draw_chains WHERE end_seed = $1) AS yes`,
        [hex],
      )
      this.check(row?.yes === true, `shows the seed of a draw that is still to come (${url})`)
      this.world.random.secrets.delete(hex)
    }
  }
}

/** Milliseconds that a session has left; below 0 since when it is over. */
export function leftOf(session: Session | undefined, now: number): number {
  return session === undefined ? Number.NEGATIVE_INFINITY : session.endsAt - now
}

export function bodyOf(text: string): Body {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
