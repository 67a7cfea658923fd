// One act of one actor: what they send, what every answer must keep to, and whether what a change
// answers is something that the model allows.

import { createHash } from 'node:crypto'
import type { DomainErrorCode } from '@redpack/contract/error-codes'
import type { InjectOptions } from 'fastify'
import type { Chance } from './chance.ts'
import type { Model, StoredKey } from './model.ts'
import { Disagreement, type Story } from './story.ts'
import { type Answer, type Place, rowsOf } from './world.ts'

/** A process that has not heard of a change believes its memory of a session for so long. */
const memoryMillis = 2_000
/** What names one of many in an address. */
const named = /\/(\d+|PR-\w+|[\da-f-]{36,64})(?=\/|$)/g
/** Calls that ask for no session. */
const open = /^\/api\/(auth\/|fairness\/(tables|observed)|discord\/inter|twitch\/eventsub)/

// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field, as scripts do
export type Body = any

export interface Request {
  /** Method and address. */
  readonly line: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
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

/** A call that changes something, and what the model makes of it. */
export interface Change extends Request {
  /** What the person does, in plain words. */
  readonly words: string
  /**
   * Why the call cannot be granted, as the model stands; any reason that holds may be given. True
   * where it must be refused, `maybe` where it may be, for what the model cannot know.
   */
  readonly refusals?: () => Partial<Record<DomainErrorCode, boolean | 'maybe'>>
  /** Books what was granted. `body` is the answer, or what is known of it when it was lost. */
  readonly apply: (body: Body) => void
  /** Who sends it, where that is somebody else than who acts. */
  readonly by?: Scene
  /** Whether a call whose answer was lost took effect, where key and audit log do not tell. */
  readonly find?: (() => Promise<Body | undefined>) | undefined
}

/** A change with what was heard of it, or else found. */
interface Sent {
  readonly change: Change
  readonly answer: Heard
  readonly found: Body | undefined
}

interface Broadcast {
  readonly streamId: number
  readonly broadcast: string
}

export interface Person {
  readonly name: string
  /** The number at Twitch; it stays when the account here is left. */
  readonly twitchId: string
  readonly discordId: string
  login: string
  accountId?: number
  cookie?: string | undefined
  /** Sessions of before, which must be of no use. */
  readonly oldCookies: string[]
  /** Calls under keys that may be sent again. */
  readonly keptCalls: (Pick<Change, 'line' | 'body'> & { key: string; at: number })[]
  /** What is watched in which tab, and what they were paid for last. */
  watching?: Broadcast | undefined
  paidFor?: Broadcast
  /** Wants more of it at once, by leaving and coming back. */
  isGreedy?: boolean
  /** Discord accounts are linked once. */
  isLinked?: boolean
}

export interface Habit {
  /** Short, in kebab-case: it stands in the table at the end. */
  readonly name: string
  /** How often it is picked, compared with the others of its actor. */
  readonly weight: number
  /** Does it. What the product answers is compared with the model on the way. */
  act(scene: Scene): Promise<void>
}

export const loginOf = (name: string) => name.replaceAll('-', '_')

export function personOf(name: string, number: number): Person {
  const [twitchId, discordId] = [`${10_000 + number}`, `8000000000000${100_000 + number}`]
  return { name, twitchId, discordId, login: loginOf(name), oldCookies: [], keptCalls: [] }
}

export class Scene {
  constructor(
    readonly world: Place,
    readonly model: Model,
    readonly story: Story,
    /** Everybody who takes part. */
    readonly people: readonly Person[],
    readonly chance: Chance,
    readonly turn: number,
    readonly person: Person,
  ) {}

  /** The same moment, as somebody else lives through it. */
  as(person: Person): Scene {
    const { world, model, story, people, chance, turn } = this
    return new Scene(world, model, story, people, chance, turn, person)
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

  /** A key that nobody used. */
  get ownKey(): string {
    return `${this.person.name}-${this.turn}`
  }

  /** The same, for most calls; some come without. */
  key(): string | undefined {
    return !this.world.isSerial || this.chance.isLikely(0.9) ? this.ownKey : undefined
  }

  tell(words: string): void {
    this.story.tell(this.now, this.person.name, words)
  }

  /** @throws Disagreement with what the product did unless it is so */
  check(isSo: boolean, what: string): void {
    if (!isSo) throw new Disagreement(what, [this.person.name])
  }

  /** The same where nothing else happens at the same time. */
  checkWhenAlone(isSo: boolean, what: string): void {
    if (this.world.isSerial) this.check(isSo, what)
  }

  /** What an answer says must be what the model has, where it says something. */
  same(said: unknown, known: unknown, what: string): void {
    const isSame = said === undefined || said === known
    this.checkWhenAlone(isSame, `says ${said} as ${what}, not ${known}`)
  }

  /** Reads; undefined when a fault kept the answer away. */
  async read(url: `/${string}`): Promise<Body | undefined> {
    const heard = await this.call({ line: `GET ${url}` })
    if (!heard.isHeard) return undefined
    this.check(heard.status === 200, `answers ${heard.status} to GET ${url}: ${heard.text}`)
    return heard.body
  }

  async call(request: Request): Promise<Heard> {
    const { world } = this
    const process = this.chance.pick(world.processes)
    const { database } = process
    const { line } = request
    this.story.count(line.replace(/\?.*/, '').replace(named, '/…'))
    const answer = await world.send(process.number, this.injected(request))
    const isLost = database.fault?.kind === 'answer lost' && answer.status < 500
    if (isLost) database.meet()
    if (answer.status >= 500 && database.met === undefined && world.isSerial) {
      const said = `answers ${answer.status} to ${line} without a fault`
      this.check(false, `${said}: ${world.lastError.slice(0, 600)}`)
    }
    const isHeard = !isLost && !database.isDead && answer.status > 0 && answer.status < 500
    if (world.processes[process.number] === process && database.isDead) {
      this.tell(`process ${process.number} dies and is started again`)
      await world.restart(process.number)
    }
    if (isHeard) this.checkAccess(request, answer.status)
    await this.checkSecrets(answer.text, line)
    return { ...answer, isHeard, body: bodyOf(answer.text) }
  }

  private injected({ line, body, key, cookie, headers }: Request): InjectOptions {
    const session = cookie ?? this.person.cookie
    const [method, url] = line.split(' ') as [InjectOptions['method'], string]
    return {
      ...{ method, url },
      headers: {
        ...(session ? { cookie: session.includes('=') ? session : `sid=${session}` } : {}),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body as NonNullable<InjectOptions['payload']> }),
    }
  }

  /** Who has no session gets nothing, who has one gets in, and staff are who the model says. */
  private checkAccess({ line, cookie }: Request, status: number): void {
    const token = cookie ?? this.person.cookie ?? ''
    const url = line.slice(line.indexOf(' ') + 1)
    if (open.test(url) || token.includes('=')) return
    const session = this.model.sessions.get(token)
    const left = (session?.endsAt ?? Number.NEGATIVE_INFINITY) - this.now
    if (left <= -memoryMillis)
      this.check(status === 401, `lets a session in that has ended (${line})`)
    if (left <= 0 || session === undefined) return
    this.check(status !== 401, `refuses a session that has not ended (${line})`)
    const account = this.model.accounts.get(session.accountId)
    if (!url.startsWith('/api/admin/') || account?.role !== 'user') return
    const isRecent = this.now - account.roleSince <= memoryMillis
    this.check(status === 403 || isRecent, `lets somebody in who is no staff (${line})`)
  }

  /** No text shows a seed whose draw is still to come. */
  private async checkSecrets(text: string, line: string): Promise<void> {
    const { secrets } = this.world.random
    for (const [hex] of text.matchAll(/[\da-f]{64}/g)) {
      if (!secrets.has(hex)) continue
      const [row] = await rowsOf<{ yes: boolean }>(
        this.world,
        'is_seed_shown',
        `SELECT EXISTS (SELECT 1 FROM opening_requests WHERE server_seed = $1)
           OR EXISTS (SELECT 1 FROM draw_chains WHERE end_seed = $1) AS yes`,
        hex,
      )
      this.check(row?.yes === true, `shows the seed of a draw that is still to come (${line})`)
      secrets.delete(hex)
    }
  }

  /** Sends a change and books what came of it; answers the body of what was granted and heard. */
  async change(change: Change): Promise<Body | undefined> {
    return (await this.together([change]))[0]
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
      const [answer, by] = [heard[at] as Heard, change.by ?? this]
      if (this.world.isSerial || answer.isHeard) {
        sent.push({ change, answer, found: answer.isHeard || (await by.trace(change, before)) })
      } else {
        // While others act, what nobody heard of may still be under way.
        this.world.unsettled.push(async () =>
          by.judge({ change, answer, found: await by.trace(change, 0) }, true),
        )
      }
    }
    const failure = this.judgeInSomeOrder(sent)
    for (const { change, answer } of sent) (change.by ?? this).tellOutcome(change, answer)
    if (failure !== undefined) throw failure
    return heard.map(({ isHeard, status, body }) => (isHeard && status === 200 ? body : undefined))
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

  private tellOutcome({ words }: Change, { status, text, body, isHeard }: Heard): void {
    const mark = createHash('sha256').update(text).digest('hex').slice(0, 8)
    const said = status === 200 ? `done ${mark}` : `${status} ${body?.message ?? ''}`
    this.tell(`${words}: ${isHeard ? said : `no answer (${status})`}`)
  }

  private judge({ change, answer: heard, found }: Sent, isAmongOthers: boolean): void {
    const { words, key, line } = change
    if (!heard.isHeard && found === undefined) return
    const name = `${this.accountId} ${line} ${key}`
    const known = key === undefined ? undefined : this.model.keys.get(name)
    if (known !== undefined) return this.judgeRepeat(change, known, heard, name)
    const { isSerial } = this.world
    const isViewer = this.model.accounts.get(this.accountId)?.role === 'user'
    const reasons = {
      ...change.refusals?.(),
      // Nobody but staff may do what staff do.
      ...(isViewer && line.includes(' /api/admin/') && { forbidden: true }),
    }
    if (heard.isHeard && heard.status !== 200) {
      const code = heard.body?.code as DomainErrorCode
      const isTwin = isAmongOthers && code === 'idempotency_in_flight'
      const isAllowed = isTwin || reasons[code] || (!isSerial && code in reasons)
      const said = `refuses "${words}" with ${heard.status} ${heard.text}`
      return this.check(Boolean(isAllowed), `${said}, for which the model sees no reason`)
    }
    const because = Object.entries(reasons).flatMap(([code, holds]) => (holds === true ? code : []))
    const whatFor = `grants "${words}", which the model refuses: ${because.join(', ')}`
    this.checkWhenAlone(because.length === 0, whatFor)
    const isFresh = !heard.isHeard || !isReplayed(heard)
    this.checkWhenAlone(isFresh, `answers "${words}" with a stored answer, though it is the first`)
    change.apply(heard.isHeard ? heard.body : found)
    if (key === undefined) return
    const answer = heard.isHeard ? heard.text : undefined
    this.model.keys.set(name, { body: textOf(change), madeAt: this.now, answer })
  }

  private judgeRepeat(change: Change, known: StoredKey, heard: Heard, name: string): void {
    const { words } = change
    if (!heard.isHeard) return
    const { status, text } = heard
    if (known.body !== textOf(change)) {
      const what = `answers ${status} to another request under a used key (${words})`
      return this.check(status === 422, what)
    }
    const isStored = status === 200 && isReplayed(heard)
    this.check(isStored, `does not answer "${words}" from what is stored under its key: ${status}`)
    const isSame = known.answer === undefined || known.answer === text
    this.check(isSame, `answers the repetition of "${words}" with another text`)
    this.model.keys.set(name, { ...known, answer: text })
  }

  /** What is known of a call that nobody heard the answer of; undefined when it had no effect. */
  private async trace({ find, key }: Change, auditBefore: number): Promise<Body | undefined> {
    if (find !== undefined) return find()
    if (key === undefined) return (await this.auditCount()) > auditBefore ? {} : undefined
    const [row] = await rowsOf<{ body: string | null }>(
      this.world,
      'stored_key',
      'SELECT body FROM idempotency_keys WHERE user_id = $1 AND key = $2',
      ...[this.accountId, key],
    )
    return row?.body ? bodyOf(row.body) : undefined
  }

  private async auditCount(): Promise<number> {
    const text = 'SELECT count(*)::int AS count FROM audit_log WHERE actor_id = $1'
    const id = this.person.accountId ?? 0
    const [row] = await rowsOf<{ count: number }>(this.world, 'count_audit', text, id)
    return row?.count ?? 0
  }
}

const textOf = ({ body }: Change) => JSON.stringify(body ?? null)
const isReplayed = ({ headers }: Heard) => headers['idempotency-replayed'] === 'true'

function bodyOf(text: string): Body {
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
