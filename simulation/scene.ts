// One act of one actor: what it changes, and whether the answer is one that the model allows.

import { createHash } from 'node:crypto'
import type { DomainErrorCode } from '@redpack/contract/error-codes'
import { Disagreement } from './disagreement.ts'
import { type Body, bodyOf, type Heard, Moment, type Request } from './moment.ts'
import type { Person } from './person.ts'

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

export class Scene extends Moment {
  /** The same moment, as somebody else lives through it. */
  as(person: Person): Scene {
    return new Scene({ ...this, person })
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
    this.checkWhenAlone(
      !replayed,
      `answers "${words}" with a stored answer, though nobody asked before`,
    )
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

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  )
}
