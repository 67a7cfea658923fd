// One act of one actor: what they send, what every answer must keep to, and whether what a change
// answers is something that the model allows.

import { createHash } from 'node:crypto'
import type { DomainErrorCode } from '@redpack/contract/error-codes'
import type { InjectOptions } from 'fastify'
import { Chance } from './chance.ts'
import { hourMillis, type Line, type Model, type Person, type StoredKey } from './model.ts'
import { Disagreement } from './story.ts'
import { type Answer, type Body, type Place, rowsOf } from './world.ts'

/** A process that has not heard of a change believes its memory of a session for so long. */
const memoryMillis = 2_000
/** What names one of many in an address. */
const named = /\/(\d+|PR-\w+|[\da-f-]{36,64})(?=\/|$)/g
/** Calls that ask for no session. */
const isOpen =
  / (auth\/|fairness\/(tables|observed)|discord\/inter|twitch\/eventsub|notifications\/)/
/** What a suspended person may not do. */
const isStopped = / (packs\/open|store\/purchase|twitch\/(watch-sessions|heartbeat))$/

export interface Request {
  readonly line: Line
  readonly body?: unknown
  readonly key?: string | undefined
  /** Another session than the person's own; the empty text is none. */
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer; `isHeard` is false when nobody knows what came of the call. */
export type Heard = Answer & { readonly body: Body; readonly isHeard: boolean }

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
  readonly find?: () => Promise<Body | undefined>
  /** Hears what was granted. */
  readonly after?: (body: Body | undefined) => unknown
}

/** A change with what was heard of it, or else found. */
type Sent = readonly [change: Change, answer: Heard, found: Body | undefined]

/** The call of a change. */
export const to = (line: Line, words: string, body?: unknown, key?: string) => ({
  ...{ line, words, body, key },
})

/** Something that somebody does now and then. */
export interface Habit {
  readonly name: string
  /** How often it is picked, compared with the others of its actor. */
  readonly weight: number
  /** Reads and checks what it reads; answers the change, or the changes at once, to be sent. */
  readonly act: (scene: Scene) => Done | Promise<Done>
}
type Done = Change | readonly Change[] | '' | undefined
export const habit = (name: string, weight: number, act: Habit['act']) => ({ name, weight, act })

export class Scene {
  readonly model: Model
  readonly people: readonly Person[]
  /** The scene itself, for an act that also hands it on. */
  readonly scene = this

  constructor(
    readonly world: Place,
    readonly person: Person,
    readonly turn: number,
    readonly chance = new Chance(`${world.seed} ${person.name}:${turn}`),
  ) {
    this.model = world.model
    this.people = world.people
  }

  /** The same moment, as somebody else lives through it. */
  readonly as = (person: Person) => new Scene(this.world, person, this.turn, this.chance)

  get now(): number {
    return this.world.clock.millis
  }

  /** Whether something in this act is about to go wrong. */
  get isRisky(): boolean {
    return this.world.processes.some(({ database }) => database.fault !== undefined)
  }

  /** The person's account; they must be signed in. */
  get accountId(): number {
    return this.person.accountId
  }

  /** A key that nobody used. */
  get ownKey(): string {
    return `${this.person.name}-${this.turn}`
  }

  /** The same, for most calls; some come without. */
  readonly key = () => (!this.world.isSerial || this.chance.isLikely(0.9) ? this.ownKey : undefined)

  readonly tell = (words: string): undefined => {
    this.world.story.tell(this.now, this.person.name, words)
  }

  /** @throws Disagreement with what the product did unless it is so */
  readonly check = (isSo: boolean, what: string): undefined => {
    if (!isSo) throw new Disagreement(what, [this.person.name])
  }

  /** What is said must be what the model has, where something is said and nobody else acts. */
  readonly same = (said: unknown, known: unknown, what: string): void => {
    if (said === undefined || said === known || !this.world.isSerial) return
    const words = `says ${said} as ${what}, not ${known}`
    throw new Disagreement(words, [this.person.name], { what, said })
  }

  /** The first row of any SQL, for looking where no call does. */
  readonly row = async (text: string, ...values: unknown[]): Promise<Body | undefined> =>
    (await rowsOf(this.world, text, ...values))[0]

  /** Lives through a habit. */
  async live({ name, act }: Habit): Promise<void> {
    this.world.story.count(name)
    const changes = [(await act(this)) || []].flat()
    if (changes.length > 0) await this.together(changes)
  }

  /** Reads; undefined when a fault kept the answer away. */
  readonly read = async (path: string): Promise<Body | undefined> => {
    const { isHeard, status, text, body } = await this.call({ line: `GET ${path}` })
    this.check(!isHeard || status === 200, `answers ${status} to GET ${path}: ${text}`)
    return isHeard ? body : undefined
  }

  readonly call = async (request: Request): Promise<Heard> => {
    const { world } = this
    const process = this.chance.pick(world.processes)
    const { database, number } = process
    const { line } = request
    world.story.count(line.replace(/\?.*/, '').replace(named, '/…'))
    const answer = await process.send(this.injected(request))
    const { status, text } = answer
    const isLost = database.fault?.kind === 'answer lost' && status < 500
    if (isLost) database.meet()
    const isOwnFault = status >= 500 && database.met === undefined && world.isSerial
    const said = `answers ${status} to ${line} without a fault`
    this.check(!isOwnFault, `${said}: ${world.lastError.slice(0, 600)}`)
    const isHeard = !isLost && !database.isDead && status > 0 && status < 500
    if (world.processes[number] === process && database.isDead) {
      this.tell(`process ${number} dies and is started again`)
      await world.restart(number)
    }
    if (isHeard) this.checkAccess(request, status)
    this.noteUse(request)
    await this.checkSecrets(text, line)
    return { ...answer, isHeard, body: bodyOf(text) }
  }

  private injected({ line, body, key, cookie = this.person.cookie, headers }: Request) {
    const [method, path] = line.split(' ') as [InjectOptions['method'], string]
    const own = {
      ...(cookie && { cookie: cookie.includes('=') ? cookie : `sid=${cookie}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    const payload = body as NonNullable<InjectOptions['payload']>
    return { method, url: `/api/${path}`, headers: { ...own, ...headers }, payload }
  }

  /** Who has no session gets nothing, who has one gets in, and staff are who the model says. */
  private checkAccess({ line, cookie }: Request, status: number): void {
    const token = cookie ?? this.person.cookie ?? ''
    if (isOpen.test(line) || token.includes('=')) return
    const session = this.model.sessions.get(token)
    const left = (session?.endsAt ?? Number.NEGATIVE_INFINITY) - this.now
    const isIn = status !== 401
    const leftAtMost = Math.max(left, (session?.mayLastUntil ?? 0) - this.now)
    this.check(!isIn || leftAtMost > -memoryMillis, `lets a session in that has ended (${line})`)
    if (left <= 0 || session === undefined) return
    this.check(isIn, `refuses a session that has not ended (${line})`)
    const account = this.model.accounts.get(session.accountId)
    if (!line.includes(' admin/') || account?.role !== 'user') return
    const isRecent = this.now - account.roleSince <= memoryMillis
    this.check(status === 403 || isRecent, `lets somebody in who is no staff (${line})`)
  }

  private noteUse({ cookie = this.person.cookie ?? '' }: Request): void {
    const { mayLastUntil = 0 } = this.model.sessions.get(cookie) ?? {}
    if (mayLastUntil <= this.now) return
    this.model.sessions.change(cookie, { mayLastUntil: this.now + hourMillis })
  }

  /** No text shows a seed whose draw is still to come. */
  private async checkSecrets(text: string, line: string): Promise<void> {
    const { secrets } = this.world.random
    const isShown = `SELECT EXISTS (SELECT 1 FROM opening_requests WHERE server_seed = $1)
      OR EXISTS (SELECT 1 FROM draw_chains WHERE end_seed = $1) AS yes`
    for (const [hex] of text.matchAll(/[\da-f]{64}/g)) {
      if (!secrets.has(hex)) continue
      const { yes } = await this.row(isShown, hex)
      this.check(yes, `shows the seed of a draw that is still to come (${line})`)
      secrets.delete(hex)
    }
  }

  /**
   * Sends changes at the same moment and books what came of them. What the product answers must be
   * what it could answer in some order of them.
   */
  async together(changes: readonly Change[]): Promise<void> {
    const before = this.isRisky ? await this.auditCount() : 0
    const heard = await Promise.all(changes.map((change) => (change.by ?? this).call(change)))
    const sent: Sent[] = []
    for (const [at, change] of changes.entries()) {
      const [answer, by] = [heard[at] as Heard, change.by ?? this]
      if (this.world.isSerial || answer.isHeard) {
        sent.push([change, answer, answer.isHeard || (await by.trace(change, before))])
      } else {
        // While others act, what nobody heard of may still be under way.
        this.world.unsettled.push(async () =>
          by.judge([change, answer, await by.trace(change, 0)], true),
        )
      }
    }
    const failure = this.judgeInSomeOrder(sent)
    for (const [{ by = this, words }, { status, text, body, isHeard }] of sent) {
      const said = status === 200 ? `done ${hashed(text)}` : `${status} ${body?.message ?? ''}`
      by.tell(`${words}: ${isHeard ? said : `no answer (${status})`}`)
    }
    if (failure !== undefined) throw failure
    for (const [at, { after }] of changes.entries()) {
      const { isHeard, status, body } = heard[at] as Heard
      await after?.(isHeard && status === 200 ? body : undefined)
    }
  }

  /** Books the first order that can have been; else answers what is wrong with the first one. */
  private judgeInSomeOrder(sent: readonly Sent[]): Disagreement | undefined {
    let first: Disagreement | undefined
    const takeBack = sent.length > 1 ? this.model.keep() : () => undefined
    for (const order of permutations(sent)) {
      try {
        for (const one of order) (one[0].by ?? this).judge(one, sent.length > 1)
        return undefined
      } catch (error) {
        if (!(error instanceof Disagreement)) throw error
        takeBack()
        first ??= error
      }
    }
    return first
  }

  private judge([change, heard, found]: Sent, isAmongOthers: boolean): undefined {
    const { words, key, line } = change
    const { isSerial } = this.world
    if (!heard.isHeard && found === undefined) return
    const name = `${this.accountId} ${line} ${key}`
    const known = key === undefined ? undefined : this.model.keys.get(name)
    if (known !== undefined) return this.judgeRepeat(change, known, heard)
    const isViewer = this.model.accounts.get(this.accountId)?.role === 'user'
    // Nobody but staff may do what staff do.
    const forbidden = isViewer && line.includes(' admin/') && { forbidden: true }
    const reasons = { ...change.refusals?.(), ...forbidden, ...this.suspended(line) }
    if (heard.isHeard && heard.status !== 200) {
      const code: DomainErrorCode = heard.body?.code
      const isTwin = isAmongOthers && code === 'idempotency_in_flight'
      const isAllowed = isTwin || Boolean(reasons[code]) || (!isSerial && code in reasons)
      const said = `refuses "${words}" with ${heard.status} ${heard.text}`
      if (code === 'suspended' && reasons.suspended === true) this.checkSuspension(heard.body)
      const isOther = reasons.suspended === true && code !== 'suspended' && !this.isRecent()
      this.check(isTwin || !isOther, `${said} to a suspended person`)
      return this.check(isAllowed, `${said}, for which the model sees no reason`)
    }
    for (const [code, holds] of Object.entries(reasons)) {
      this.check(holds !== true || !isSerial, `grants "${words}", which the model refuses: ${code}`)
    }
    const isFresh = !heard.isHeard || !isReplayed(heard) || !isSerial
    this.check(isFresh, `answers "${words}" with a stored answer, though it is the first`)
    change.apply(heard.isHeard ? heard.body : found)
    if (key === undefined) return
    const answer = heard.isHeard ? heard.text : undefined
    this.model.keys.set(name, { body: textOf(change), madeAt: this.now, answer })
  }

  /** Whether a suspension refuses the call; a memory of a session may not have heard of it. */
  private suspended(line: Line): { suspended?: boolean | 'maybe' } {
    if (!isStopped.test(line)) return {}
    const isSuspended = this.model.isSuspended(this.accountId, this.now)
    return { suspended: isSuspended || (this.isRecent() && 'maybe') }
  }

  private isRecent(): boolean {
    const { standingSince = 0 } = this.model.accounts.get(this.accountId) ?? {}
    return this.now - standingSince <= memoryMillis
  }

  /** Somebody who is suspended hears why, and until when. */
  checkSuspension(told: Body, accountId = this.accountId): void {
    const { suspendedUntil, suspensionReason } = this.model.accounts.get(accountId) ?? {}
    this.same(told?.reason, suspensionReason, 'reason of a suspension')
    this.same(untilOf(told), suspendedUntil, 'end of a suspension')
  }

  private judgeRepeat(change: Change, known: StoredKey, heard: Heard): undefined {
    const [{ words }, { status, text }] = [change, heard]
    if (!heard.isHeard) return
    if (known.body !== textOf(change)) {
      return this.check(status === 422, `answers ${status} to "${words}" under a used key`)
    }
    const isStored = status === 200 && isReplayed(heard)
    this.check(isStored, `does not answer "${words}" from what is stored under its key: ${status}`)
    const isSame = known.answer === undefined || known.answer === text
    this.check(isSame, `answers the repetition of "${words}" with another text`)
    known.answer = text
  }

  /** What is known of a call that nobody heard the answer of; undefined when it had no effect. */
  private async trace({ find, key }: Change, auditBefore: number): Promise<Body | undefined> {
    if (find !== undefined) return find()
    if (key === undefined) return (await this.auditCount()) > auditBefore ? {} : undefined
    const text = 'SELECT body FROM idempotency_keys WHERE user_id = $1 AND key = $2'
    return bodyOf((await this.row(text, this.accountId, key))?.body ?? '')
  }

  private async auditCount(): Promise<number> {
    const text = 'SELECT count(*)::int AS count FROM audit_log WHERE actor_id = $1'
    return (await this.row(text, this.accountId)).count
  }
}

/** How a suspension without an end is kept. */
const endless = Date.parse('9999-12-31T00:00:00Z')
export const untilOf = (told: Body) => (told ? (told.until ? Date.parse(told.until) : endless) : 0)

const hashed = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)
const textOf = ({ body }: Change) => JSON.stringify(body ?? null)
const isReplayed = ({ headers }: Answer) => headers['idempotency-replayed'] === 'true'

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
