// One act of one actor: what it sends, and whether the answer is one that the model allows.

import { createHash } from 'node:crypto'
import type { DomainErrorCode } from '@redpack/contract/error-codes'
import type { InjectOptions } from 'fastify'
import type { Chance } from './chance.ts'
import { Disagreement } from './disagreement.ts'
import type { Model, Session } from './model.ts'
import type { Person } from './people.ts'
import type { Story } from './story.ts'
import type { Answer, Place } from './world.ts'

/** A process that has not heard of a change believes its memory of a session for so long. */
const memoryMillis = 2_000

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

/** A change with what was heard of it, or else found. */
interface Sent {
  readonly change: Change
  readonly answer: Heard
  readonly found: Body | undefined
}

/** True where the call must be refused, `maybe` where it may be, for what the model cannot know. */
type Refusals = Partial<Record<DomainErrorCode, boolean | 'maybe'>>

/** A call that changes something, and what the model makes of it. */
export interface Change extends Request {
  /** What the person does, in plain words. */
  readonly words: string
  /** Why the call cannot be granted, as the model stands; any reason that holds may be given. */
  readonly refusals: () => Refusals
  /** Books what was granted. `body` is the answer, or what is known of it when it was lost. */
  readonly apply: (body: Body) => void
  /** Who sends it, where that is somebody else than who acts. */
  readonly by?: Scene
  /** Whether a call whose answer was lost took effect, where key and audit log do not tell. */
  readonly find?: () => Promise<Body | undefined>
}

type SceneParts = Pick<Scene, 'world' | 'model' | 'story' | 'person' | 'people' | 'chance' | 'turn'>

export class Scene {
  readonly world: Place
  readonly model: Model
  readonly story: Story
  readonly person: Person
  readonly chance: Chance
  readonly turn: string
  /** Everybody who takes part. */
  readonly people: readonly Person[]

  constructor(parts: SceneParts) {
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

  /** The same moment, as somebody else lives through it. */
  as(person: Person): Scene {
    return new Scene({ ...this, person })
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
    return !this.world.isSerial || this.chance.isLikely(0.9) ? `${this.person.name}-${this.turn}` : undefined
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
    this.story.count(
      `${method} ${url.replace(/\?.*/, '').replace(/\/(\d+|PR-\w+|[\da-f-]{36,64})(?=\/|$)/g, '/…')}`,
    )
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

  /** Sends a change and books what came of it; answers the body of what was granted and heard. */
  async change(change: Change): Promise<Body | undefined> {
    const [granted] = await this.together([change])
    return granted
  }

  /**
   * Sends changes at the same moment. What the product answers must be what it could answer in some
   * order of them.
   */
  async together(changes: readonly Change[]): Promise<(Body | undefined)[]> {
    const before = this.isRisky ? await this.auditCount() : 0
    const heard = await Promise.all(changes.map((change) => (change.by ?? this).call(change)))
    const sent: Sent[] = []
    for (const [at, change] of changes.entries()) {
      const answer = heard[at]
      if (answer === undefined) continue
      const by = change.by ?? this
      if (!this.world.isSerial && !answer.isHeard) by.settleLater(change, answer)
      else sent.push({ change, answer, found: answer.isHeard || (await by.trace(change, before)) })
    }
    const failure = this.judgeInSomeOrder(sent)
    for (const { change, answer } of sent) (change.by ?? this).tellOutcome(change, answer)
    if (failure !== undefined) throw failure
    return heard.map(({ isHeard, status, body }) => (isHeard && status === 200 ? body : undefined))
  }

  /** While others act, what nobody heard of may still be under way. */
  private settleLater(change: Change, answer: Heard): void {
    this.world.unsettled.push(async () => {
      this.judge({ change, answer, found: await this.trace(change, 0) }, true)
    })
  }

  /** Books the first order that can have been; else answers what is wrong with the first one. */
  private judgeInSomeOrder(sent: readonly Sent[]): Disagreement | undefined {
    let first: Disagreement | undefined
    for (const order of permutations(sent)) {
      const mark = this.model.mark()
      try {
        for (const one of order) (one.change.by ?? this).judge(one, sent.length > 1)
        this.model.settle()
        return undefined
      } catch (error) {
        if (!(error instanceof Disagreement)) throw error
        this.model.backTo(mark)
        first ??= error
      }
    }
    return first
  }

  private tellOutcome(change: Change, heard: Heard): void {
    const { status, text, body, isHeard } = heard
    const mark = createHash('sha256').update(text).digest('hex').slice(0, 8)
    const said = status === 200 ? `done ${mark}` : `${status} ${body?.message ?? ''}`
    this.tell(`${change.words}: ${isHeard ? said : `no answer (${status})`}`)
  }

  private judge({ change, answer: heard, found }: Sent, isAmongOthers: boolean): void {
    const { words, key, body } = change
    const name = `${this.accountId} ${change.url} ${key}`
    const known = key === undefined ? undefined : this.model.get('key', name)
    const sent = JSON.stringify(body ?? null)
    if (!heard.isHeard && found === undefined) return
    const isGranted = !heard.isHeard || heard.status === 200
    if (known !== undefined) {
      this.judgeRepeat(change, known, heard, name)
      return
    }
    const reasons = Object.entries(this.reasonsFor(change))
    const { isSerial } = this.world
    const because = reasons.flatMap(([code, holds]) => (isSerial && holds === true ? [code] : []))
    if (!isGranted) {
      const code: unknown = heard.body?.code
      const isTwin = isAmongOthers && code === 'idempotency_in_flight'
      const isAllowed =
        isTwin || reasons.some(([reason, holds]) => (holds || !isSerial) && reason === code)
      this.check(
        isAllowed,
        `refuses "${words}" with ${heard.status} ${heard.text}, for which the model sees no reason`,
      )
      return
    }
    this.check(
      because.length === 0,
      `grants "${words}", which the model refuses: ${because.join(', ')}`,
    )
    const replayed = heard.isHeard && heard.headers['idempotency-replayed'] === 'true'
    this.checkWhenAlone(!replayed, `answers "${words}" with a stored answer, though nobody asked before`)
    change.apply(heard.isHeard ? heard.body : found)
    if (key === undefined) return
    const answer = heard.isHeard ? heard.text : undefined
    this.model.set('key', name, { body: sent, madeAt: this.now, answer })
  }

  /** Those of the call itself, and that nobody but staff may do what staff do. */
  private reasonsFor({ url, refusals }: Change): Refusals {
    const isViewer = this.model.get('account', this.accountId)?.role === 'user'
    return { ...refusals(), ...(isViewer && url.startsWith('/api/admin/') && { forbidden: true }) }
  }

  private judgeRepeat(
    change: Change,
    known: { body: string; madeAt: number; answer: string | undefined },
    heard: Heard,
    name: string,
  ): void {
    const { words } = change
    if (!heard.isHeard) return
    if (known.body !== JSON.stringify(change.body ?? null)) {
      this.check(
        heard.status === 422,
        `answers ${heard.status} to another request under a used key (${words})`,
      )
      return
    }
    const isStored = heard.status === 200 && heard.headers['idempotency-replayed'] === 'true'
    this.check(
      isStored,
      `does not answer "${words}" from what is stored under its key: ${heard.status}`,
    )
    const isSame = known.answer === undefined || known.answer === heard.text
    this.check(isSame, `answers the repetition of "${words}" with another text`)
    this.model.set('key', name, { ...known, answer: heard.text })
  }

  /** What is known of a call that nobody heard the answer of; undefined when it had no effect. */
  private async trace(change: Change, auditBefore: number): Promise<Body | undefined> {
    if (change.find !== undefined) return change.find()
    if (change.key === undefined) {
      return (await this.auditCount()) > auditBefore ? {} : undefined
    }
    const [row] = await this.world.rows<{ body: string | null }>(
      'stored_key',
      'SELECT body FROM idempotency_keys WHERE user_id = $1 AND key = $2',
      [this.accountId, change.key],
    )
    return row?.body ? bodyOf(row.body) : undefined
  }

  private async auditCount(): Promise<number> {
    const [row] = await this.world.rows<{ count: number }>(
      'count_audit',
      'SELECT count(*)::int AS count FROM audit_log WHERE actor_id = $1',
      [this.person.accountId ?? 0],
    )
    return row?.count ?? 0
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

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  )
}
