// What must be so, as plain data: an account of everything that was acknowledged, which can be
// taken back to a moment to try another order of two acts.

import type { OddsTable } from '@redpack/fair/draw'

export interface Account {
  readonly id: number
  readonly twitchId: string
  readonly username: string
  readonly role: 'user' | 'admin' | 'super_user'
  readonly roleSince: number
  readonly isGone: boolean
  readonly isBlocked: boolean
  readonly discordId: string | undefined
}

export interface Session {
  readonly accountId: number
  /** When it ends at the latest, in milliseconds; it may have been ended before. */
  readonly endsAt: number
}

export interface Prize {
  readonly id: number
  readonly name: string
  readonly winFrequency: number
  readonly totalPacks: number
  readonly redCoinAmount: number
  readonly packTypeId: number | null
  readonly packQuantity: number
  readonly isAlsoSent: boolean
  readonly isActive: boolean
  readonly isDeleted: boolean
  readonly isLimited: boolean
  readonly packTypeIds: readonly number[]
}

export interface Listing {
  readonly id: number
  readonly packTypeId: number
  readonly price: number
  readonly isUnlimited: boolean
  readonly isActive: boolean
  readonly isDeleted: boolean
}

export type ClaimStatus = 'pending' | 'processing' | 'completed'

export interface Claim {
  readonly id: string
  readonly accountId: number
  readonly prizeId: number
  readonly status: ClaimStatus
  readonly isDeleted: boolean
}

export interface StoredKey {
  readonly body: string
  readonly madeAt: number
  /** The answer, as far as somebody has seen it. */
  readonly answer: string | undefined
}

export interface Batch {
  readonly id: string
  readonly packTypeId: number | undefined
  readonly given: readonly (readonly [accountId: number, amount: number])[]
  readonly isReversed: boolean
}

export interface Watch {
  readonly seconds: number
  readonly countedAt: number
  readonly isCompleted: boolean
}

/** What there is of each kind, by its name. */
export interface Kinds {
  coins: number
  packs: number
  prizeStock: number
  listingStock: number
  claim: Claim
  account: Account
  session: Session
  prize: Prize
  listing: Listing
  key: StoredKey
  batch: Batch
  watch: Watch
  /** Up to when an account was credited for watching anything, in milliseconds. */
  credited: number
  /** A broadcast that was paid to a Twitch account, or a message of Discord's to one of its. */
  paid: true
  completions: number
  consolation: number
  /** Chain and index of an account's next opening, as far as it is known. */
  chain: string
}
type Kind = keyof Kinds

export class Model {
  private readonly kinds = new Map<Kind, Map<string, unknown>>()
  private readonly journal: (() => void)[] = []

  get<K extends Kind>(kind: K, id: string | number): Kinds[K] | undefined {
    return this.of(kind).get(String(id)) as Kinds[K] | undefined
  }

  count(
    kind: 'coins' | 'packs' | 'prizeStock' | 'listingStock' | 'completions',
    id: string,
  ): number {
    return this.get(kind, id) ?? 0
  }

  set<K extends Kind>(kind: K, id: string | number, value: Kinds[K] | undefined): void {
    const map = this.of(kind)
    const name = String(id)
    const before = map.get(name)
    this.journal.push(() => {
      if (before === undefined) map.delete(name)
      else map.set(name, before)
    })
    if (value === undefined) map.delete(name)
    else map.set(name, value)
  }

  /** Changes some fields of what is there. */
  change<K extends Kind>(kind: K, id: string | number, fields: Partial<Kinds[K]>): void {
    const before = this.get(kind, id)
    if (before === undefined) throw new Error(`The model knows no ${kind} ${id}`)
    this.set(kind, id, { ...(before as object), ...(fields as object) } as Kinds[K])
  }

  add(
    kind: 'coins' | 'packs' | 'prizeStock' | 'listingStock' | 'completions',
    id: string,
    delta: number,
  ): void {
    this.set(kind, id, this.count(kind, id) + delta)
  }

  all<K extends Kind>(kind: K): Kinds[K][] {
    return [...this.of(kind).values()] as Kinds[K][]
  }

  names(kind: Kind): string[] {
    return [...this.of(kind).keys()]
  }

  mark(): number {
    return this.journal.length
  }

  /** Takes back everything since the mark. */
  backTo(mark: number): void {
    while (this.journal.length > mark) this.journal.pop()?.()
  }

  /** What was done cannot be taken back any more. */
  settle(): void {
    this.journal.length = 0
  }

  /** The odds table that the next draw of a pack type is made from. */
  table(packTypeId: number): OddsTable {
    const prizes = this.all('prize').filter(
      ({ isActive, isDeleted, packTypeIds }) =>
        isActive && !isDeleted && packTypeIds.includes(packTypeId),
    )
    return {
      packTypeId,
      consolationRedCoin: this.get('consolation', 'now') ?? 0,
      entries: prizes
        .toSorted((a, b) => a.id - b.id)
        .map((prize) => ({
          prizeId: prize.id,
          name: prize.name,
          winFrequency: prize.winFrequency,
          totalPacks: prize.totalPacks,
          redCoinAmount: prize.redCoinAmount,
          rewardPackTypeId: prize.packQuantity === 0 ? null : prize.packTypeId,
          rewardPackQuantity: prize.packTypeId === null ? 0 : prize.packQuantity,
          limited: prize.isLimited,
        })),
    }
  }

  private of(kind: Kind): Map<string, unknown> {
    let map = this.kinds.get(kind)
    if (map === undefined) {
      map = new Map()
      this.kinds.set(kind, map)
    }
    return map
  }
}
