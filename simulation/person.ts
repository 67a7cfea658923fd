// Who lives in the simulated community.

/** A call under a key that may be sent again. */
export interface KeptCall {
  readonly url: string
  readonly body: unknown
  readonly key: string
  readonly at: number
}

export interface Broadcast {
  readonly streamId: number
  readonly broadcast: string
}

export interface Person {
  readonly name: string
  /** The number at Twitch; it stays when the account here is left. */
  readonly twitchId: string
  readonly discordId: string
  login: string
  accountId: number | undefined
  cookie: string | undefined
  /** Sessions of before, which must be of no use. */
  readonly oldCookies: string[]
  readonly keptCalls: KeptCall[]
  /** What is watched in which tab. */
  watching: Broadcast | undefined
  /** What they were paid for last. */
  paidFor: Broadcast | undefined
  /** Wants more of it at once, by leaving and coming back. */
  isGreedy: boolean
  /** Discord accounts are linked once. */
  isLinked: boolean
}

export function personOf(name: string, number: number): Person {
  return {
    name,
    twitchId: String(10_000 + number),
    discordId: String(800_000_000_000_000_000n + BigInt(number)),
    login: name.replaceAll('-', '_'),
    accountId: undefined,
    cookie: undefined,
    oldCookies: [],
    keptCalls: [],
    watching: undefined,
    paidFor: undefined,
    isGreedy: false,
    isLinked: false,
  }
}
