// What must be so, as plain data: an account of everything that was acknowledged. It can be taken
// back to how it stood, to try another order of two acts. And who takes part.

import type { AdminListing, AdminPrize, SessionUser } from '@redpack/contract'
import type { ShipmentState } from '@redpack/contract/shipment-states'
import type { OddsTable } from '@redpack/fair/draw'

/** Method, and what follows `/api/`. */
export type Line = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`

/** What somebody watches in a tab. */
export interface Watched {
  readonly streamId: number
  readonly streamSessionId: string
}

export const loginOf = (name: string) => name.replaceAll('-', '_')

/** Somebody who takes part, and what they remember. */
export class Person {
  /** The number at Twitch; it stays when the account here is left. */
  readonly twitchId: string
  readonly discordId: string
  login: string
  accountId = 0
  cookie: string | undefined
  /** Sessions of before, which must be of no use. */
  readonly oldCookies: string[] = []
  /** Calls under keys that may be sent again. */
  readonly keptCalls: { line: Line; body: unknown; key: string; at: number }[] = []
  watching: Watched | undefined
  paidFor: Watched | undefined
  /** Wants more of it at once, by leaving and coming back. */
  isGreedy = false

  constructor(
    readonly name: string,
    number: number,
  ) {
    this.login = loginOf(name)
    this.twitchId = `${10_000 + number}`
    this.discordId = `8000000000000${100_000 + number}`
  }
}

export type Account = Pick<SessionUser, 'id' | 'username' | 'role'> & {
  readonly twitchId: string
  readonly roleSince: number
  readonly isGone: boolean
  readonly isBlocked: boolean
  readonly discordId?: string | undefined
  /** Until when the account is suspended, in milliseconds, and why; both stay after the end. */
  readonly suspendedUntil?: number
  readonly suspensionReason?: string
  /** When staff last said something of it. */
  readonly standingSince?: number
  /** Where news goes, and an address whose link was not followed yet, with its last moment. */
  readonly address?: string | undefined
  readonly pending?: string | undefined
  readonly pendingUntil?: number
  readonly isMailOff?: boolean
  /** Since when mail finds its way to the person; undefined while it does not. */
  readonly mailedSince?: number | undefined
}
type Deletable = { readonly isDeleted: boolean }
export type Claim = Deletable & {
  readonly id: string
  readonly accountId: number
  readonly prizeId: number
  /** The win took a unit, which may go back. */
  readonly isLimited: boolean
  readonly status: 'pending' | 'processing' | 'completed'
  /** How far its shipment has come; undefined when nothing is sent. */
  readonly state?: ShipmentState | undefined
  readonly hasAddress: boolean
  /** In milliseconds; 0 when there is none. */
  readonly deadline?: number | undefined
  readonly deletedAt?: number | undefined
  readonly wonDeadline?: number | undefined
  readonly sentAt?: number | undefined
  readonly number?: string | undefined
}
/** A call under a key; its answer as far as somebody has seen it. */
export type StoredKey = { body: string; madeAt: number; answer: string | undefined }
type Batch = {
  readonly id: string
  readonly packTypeId: number | undefined
  readonly given: readonly (readonly [accountId: number, amount: number])[]
  readonly isReversed: boolean
}

/** What there is of one kind, by its name. */
export class Kept<Value> {
  values = new Map<string, Value>()

  all = () => [...this.values.values()]
  names = () => [...this.values.keys()]
  entries = () => [...this.values]
  get = (id: string | number) => this.values.get(String(id))
  set = (id: string | number, value: Value) => void this.values.set(String(id), value)
  delete = (id: string | number) => void this.values.delete(String(id))

  /** Changes some fields of what is there. */
  change = (id: string | number, fields: Partial<Value>) =>
    this.set(id, { ...(this.get(id) as Value), ...fields })

  /** Forgets what was over before a moment. */
  forget(before: number, momentOf: (value: Value) => number): void {
    for (const [name, value] of this.values) if (momentOf(value) < before) this.delete(name)
  }
}

class Counted extends Kept<number> {
  of = (id: string | number) => this.get(id) ?? 0
  add = (id: string | number, delta: number) => this.set(id, this.of(id) + delta)
}

interface Session {
  readonly accountId: number
  readonly endsAt: number
  /** Of the local account, whose calls prolong it: it may have ended at any moment until then. */
  readonly mayLastUntil?: number
}

export const hourMillis = 3_600_000

export class Model {
  readonly coins = new Counted()
  readonly packs = new Counted()
  readonly prizeStock = new Counted()
  readonly listingStock = new Counted()
  readonly completions = new Counted()
  readonly claims = new Kept<Claim>()
  readonly accounts = new Kept<Account>()
  /** Whose they are, and when they end at the latest; they may have been ended before. */
  readonly sessions = new Kept<Session>()
  readonly prizes = new Kept<AdminPrize & Deletable & { isLimited: boolean }>()
  readonly listings = new Kept<AdminListing & Deletable>()
  readonly keys = new Kept<StoredKey>()
  readonly batches = new Kept<Batch>()
  readonly watches = new Kept<{ seconds: number; countedAt: number }>()
  /** Up to when an account was credited for watching anything, in milliseconds. */
  readonly credited = new Counted()
  /** A broadcast that was paid to a Twitch account, or a message of Discord's to one of its. */
  readonly paid = new Kept<true>()
  /** Chain and index of an account's next opening, as far as it is known. */
  readonly chains = new Kept<string>()
  readonly settings = new Counted()
  /** Codes of prizes in the order in which staff added them. */
  readonly codes = new Kept<{ prizeId: number; claimId?: string | undefined; isSeen?: boolean }>()
  /** Until when the owner of an outside account was suspended that has left with it. */
  readonly remembered = new Counted()

  /** Keeps how it stands; answers what takes back everything that is done from now on. */
  keep(): () => void {
    const kinds: Kept<unknown>[] = Object.values(this)
    const before = kinds.map(({ values }) => values)
    const takeBack = () => {
      for (const [at, kind] of kinds.entries()) kind.values = new Map(before[at])
    }
    takeBack()
    return takeBack
  }

  get packTypes(): number[] {
    return [...new Set(this.listings.all().map(({ packTypeId }) => packTypeId))]
  }

  isSuspended = (accountId: number, now: number) =>
    (this.accounts.get(accountId)?.suspendedUntil ?? 0) > now

  /** Changes where mail goes; since when it does follows from that. */
  setMail(accountId: number, fields: Partial<Account>, now: number): void {
    const account = { ...(this.accounts.get(accountId) as Account), ...fields }
    const isWanted = account.address !== undefined && account.isMailOff !== true
    const mailedSince = isWanted ? (account.mailedSince ?? now) : undefined
    this.accounts.set(accountId, { ...account, mailedSince })
  }

  /** A suspension that an outside account has left with comes back with it. */
  recall(accountId: number, outside: string, now: number): void {
    const until = this.remembered.of(outside)
    const suspendedUntil = this.accounts.get(accountId)?.suspendedUntil ?? now
    if (until <= Math.max(now, suspendedUntil)) return
    const suspensionReason = `The owner of this ${outside.split(' ')[0]} account was suspended before`
    this.accounts.change(accountId, { suspendedUntil: until, suspensionReason })
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
    return { packTypeId, consolationRedCoin: this.settings.of('consolation'), entries }
  }
}
