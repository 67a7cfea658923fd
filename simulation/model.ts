// What must be so, as plain data: an account of everything that was acknowledged, of which what was
// not settled yet can be taken back, to try another order of two acts.

import type { AdminListing, AdminPrize, SessionUser } from '@redpack/contract'
import type { OddsTable } from '@redpack/fair/draw'

export type Account = Pick<SessionUser, 'id' | 'username' | 'role'> & {
  readonly twitchId: string
  readonly roleSince: number
  readonly isGone: boolean
  readonly isBlocked: boolean
  readonly discordId: string | undefined
}
type Deletable = { readonly isDeleted: boolean }
export type Prize = AdminPrize & Deletable & { readonly isLimited: boolean }
export type Claim = Deletable & {
  readonly id: string
  readonly accountId: number
  readonly status: 'pending' | 'processing' | 'completed'
}
/** A call under a key; its answer as far as somebody has seen it. */
export type StoredKey = { body: string; madeAt: number; answer: string | undefined }
type Batch = {
  readonly id: string
  readonly packTypeId: number | undefined
  readonly given: readonly (readonly [accountId: number, amount: number])[]
  readonly isReversed: boolean
}

/** What there is of one kind, by its name. Every change goes into the journal. */
class Kept<Value> {
  private readonly values = new Map<string, Value>()

  constructor(private readonly journal: (() => void)[]) {}

  all = () => [...this.values.values()]
  names = () => [...this.values.keys()]
  get = (id: string | number) => this.values.get(String(id))

  set(id: string | number, value: Value | undefined): void {
    const name = String(id)
    const put = (one: Value | undefined) => {
      if (one === undefined) this.values.delete(name)
      else this.values.set(name, one)
    }
    const before = this.values.get(name)
    this.journal.push(() => put(before))
    put(value)
  }

  /** Changes some fields of what is there. */
  change(id: string | number, fields: Partial<Value>): void {
    this.set(id, { ...(this.get(id) as Value), ...fields })
  }

  /** Forgets what was over before a moment. */
  forget(before: number, momentOf: (value: Value) => number): void {
    for (const [name, value] of this.values) {
      if (momentOf(value) < before) this.values.delete(name)
    }
  }
}

class Counted extends Kept<number> {
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
  /** Whose they are, and when they end at the latest; they may have been ended before. */
  readonly sessions = new Kept<{ accountId: number; endsAt: number }>(this.journal)
  readonly prizes = new Kept<Prize>(this.journal)
  readonly listings = new Kept<AdminListing & Deletable>(this.journal)
  readonly keys = new Kept<StoredKey>(this.journal)
  readonly batches = new Kept<Batch>(this.journal)
  readonly watches = new Kept<{ seconds: number; countedAt: number }>(this.journal)
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

  /** Takes back everything that was not settled. */
  readonly takeBack = () => {
    while (this.journal.length > 0) this.journal.pop()?.()
  }

  /** What was done cannot be taken back any more. */
  readonly settle = () => {
    this.journal.length = 0
  }

  /** The odds table that the next draw of a pack type is made from. */
  table(packTypeId: number): OddsTable {
    const entries = this.prizes
      .all()
      .filter((one) => one.isActive && !one.isDeleted && one.packTypeIds.includes(packTypeId))
      .sort((a, b) => a.id - b.id)
      .map(({ id: prizeId, packTypeId: won, packQuantity, isLimited: limited, ...prize }) => ({
        ...{ ...prize, prizeId, limited },
        rewardPackTypeId: packQuantity === 0 ? null : won,
        rewardPackQuantity: won === null ? 0 : packQuantity,
      }))
    return { packTypeId, consolationRedCoin: this.settings.get('consolation') ?? 0, entries }
  }
}
