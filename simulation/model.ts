// What must be so, as plain data: an account of everything that was acknowledged, which can be
// taken back to a moment to try another order of two acts.

import type { AdminListing, AdminPrize, SessionUser } from '@redpack/contract'
import type { OddsTable } from '@redpack/fair/draw'

export interface Account extends Pick<SessionUser, 'id' | 'username' | 'role'> {
  readonly twitchId: string
  readonly roleSince: number
  readonly isGone: boolean
  readonly isBlocked: boolean
  readonly discordId: string | undefined
}

/** When it ends at the latest, in milliseconds; it may have been ended before. */
interface Session {
  readonly accountId: number
  readonly endsAt: number
}

interface Deletable {
  readonly isDeleted: boolean
}
export type Prize = AdminPrize & Deletable & { readonly isLimited: boolean }
type Listing = AdminListing & Deletable

export interface Claim extends Deletable {
  readonly id: string
  readonly accountId: number
  readonly status: 'pending' | 'processing' | 'completed'
}

/** A call under a key; its answer as far as somebody has seen it. */
export interface StoredKey {
  readonly body: string
  readonly madeAt: number
  readonly answer: string | undefined
}

interface Batch {
  readonly id: string
  readonly packTypeId: number | undefined
  readonly given: readonly (readonly [accountId: number, amount: number])[]
  readonly isReversed: boolean
}

interface Watch {
  readonly seconds: number
  readonly countedAt: number
}

/** What there is of one kind, by its name. Every change goes into the journal. */
export class Kept<Value> {
  private readonly values = new Map<string, Value>()

  constructor(private readonly journal: (() => void)[]) {}

  get(id: string | number): Value | undefined {
    return this.values.get(String(id))
  }

  set(id: string | number, value: Value | undefined): void {
    const name = String(id)
    const before = this.values.get(name)
    this.journal.push(() => this.put(name, before))
    this.put(name, value)
  }

  /** Changes some fields of what is there. */
  change(id: string | number, fields: Partial<Value>): void {
    const before = this.get(id)
    if (before === undefined) throw new Error(`The model knows nothing called ${id}`)
    this.set(id, { ...before, ...fields })
  }

  all = () => [...this.values.values()]
  names = () => [...this.values.keys()]

  private put(name: string, value: Value | undefined): void {
    if (value === undefined) this.values.delete(name)
    else this.values.set(name, value)
  }
}

export class Counted extends Kept<number> {
  of = (id: string | number) => this.get(id) ?? 0
  add = (id: string | number, delta: number) => this.set(id, this.of(id) + delta)
}

export class Model {
  private readonly journal: (() => void)[] = []
  readonly coins = new Counted(this.journal)
  readonly packs = new Counted(this.journal)
  readonly prizeStock = new Counted(this.journal)
  readonly listingStock = new Counted(this.journal)
  readonly completions = new Counted(this.journal)
  readonly claims = new Kept<Claim>(this.journal)
  readonly accounts = new Kept<Account>(this.journal)
  readonly sessions = new Kept<Session>(this.journal)
  readonly prizes = new Kept<Prize>(this.journal)
  readonly listings = new Kept<Listing>(this.journal)
  readonly keys = new Kept<StoredKey>(this.journal)
  readonly batches = new Kept<Batch>(this.journal)
  readonly watches = new Kept<Watch>(this.journal)
  /** Up to when an account was credited for watching anything, in milliseconds. */
  readonly credited = new Kept<number>(this.journal)
  /** A broadcast that was paid to a Twitch account, or a message of Discord's to one of its. */
  readonly paid = new Kept<true>(this.journal)
  /** Chain and index of an account's next opening, as far as it is known. */
  readonly chains = new Kept<string>(this.journal)
  readonly settings = new Kept<number>(this.journal)

  get packTypes(): number[] {
    return [...new Set(this.listings.all().map(({ packTypeId }) => packTypeId))]
  }

  mark = () => this.journal.length

  /** Takes back everything since the mark. */
  backTo(mark: number): void {
    while (this.journal.length > mark) this.journal.pop()?.()
  }

  /** What was done cannot be taken back any more. */
  settle(): void {
    this.journal.length = 0
  }

  /** Forgets calls under keys and ended sessions that nobody comes back to. */
  forget(before: number): void {
    for (const name of this.keys.names()) {
      if ((this.keys.get(name)?.madeAt ?? 0) < before) this.keys.set(name, undefined)
    }
    for (const name of this.sessions.names()) {
      if ((this.sessions.get(name)?.endsAt ?? 0) < before) this.sessions.set(name, undefined)
    }
    this.settle()
  }

  /** The odds table that the next draw of a pack type is made from. */
  table(packTypeId: number): OddsTable {
    const prizes = this.prizes
      .all()
      .filter((one) => one.isActive && !one.isDeleted && one.packTypeIds.includes(packTypeId))
    const entries = prizes
      .toSorted((a, b) => a.id - b.id)
      .map(({ id: prizeId, packTypeId: won, packQuantity, isLimited: limited, ...prize }) => ({
        ...{ ...prize, prizeId, limited },
        rewardPackTypeId: packQuantity === 0 ? null : won,
        rewardPackQuantity: won === null ? 0 : packQuantity,
      }))
    return { packTypeId, consolationRedCoin: this.settings.get('consolation') ?? 0, entries }
  }
}
