// Keeps sessions and their users in memory for two seconds, so that most requests need no database.

import type { Actor, Role } from '../../rules/roles.ts'

/** The signed-in person of a request, with the answer of the session call ready to send. */
export class SignedIn implements Actor {
  readonly userId: number
  readonly role: Role
  readonly sessionHash: string
  readonly endsAtMillis: number
  /** The user as JSON text, written once per change and not per request. */
  readonly userJson: string

  constructor(session: {
    readonly userId: number
    readonly role: Role
    readonly sessionHash: string
    readonly endsAt: Date
    readonly user: unknown
  }) {
    this.userId = session.userId
    this.role = session.role
    this.sessionHash = session.sessionHash
    this.endsAtMillis = session.endsAt.getTime()
    this.userJson = JSON.stringify(session.user)
  }
}

type Load = () => Promise<SignedIn | undefined>

interface Entry {
  readonly signedIn: SignedIn
  readonly staleAtMillis: number
}

const lifeMillis = 2_000
const entriesMax = 10_000
const readsMax = 3

/**
 * Sessions by token. What changes a user or ends a session calls `forget`, which also reaches reads
 * that are under way: they are made again, so nothing old is kept after a change was told.
 */
export class SessionCache {
  private readonly entries = new Map<string, Entry>()
  private readonly tokensByUser = new Map<number, Set<string>>()
  private readonly underWay = new Map<string, Promise<SignedIn | undefined>>()
  private readonly reads = new Set<{ readonly changedUsers: Set<number> }>()

  get(token: string, nowMillis: number): SignedIn | undefined {
    const entry = this.entries.get(token)
    if (entry === undefined || entry.staleAtMillis <= nowMillis) return undefined
    return entry.signedIn.endsAtMillis > nowMillis ? entry.signedIn : undefined
  }

  /** Reads a session once for all requests that ask for it at the same time. */
  share(token: string, nowMillis: number, load: Load): Promise<SignedIn | undefined> {
    const running = this.underWay.get(token)
    if (running !== undefined) return running
    const read = this.read(token, nowMillis, load).finally(() => this.underWay.delete(token))
    this.underWay.set(token, read)
    return read
  }

  /** Reads a session now, whatever is kept, and keeps what it finds. */
  async read(token: string, nowMillis: number, load: Load): Promise<SignedIn | undefined> {
    for (let reads = 1; ; reads += 1) {
      const mark = { changedUsers: new Set<number>() }
      this.reads.add(mark)
      const signedIn = await load().finally(() => this.reads.delete(mark))
      if (signedIn === undefined) {
        this.remove(token)
        return undefined
      }
      if (!mark.changedUsers.has(signedIn.userId)) {
        this.keep(token, signedIn, nowMillis)
        return signedIn
      }
      if (reads === readsMax) return signedIn
    }
  }

  forget(userId: number): void {
    for (const read of this.reads) read.changedUsers.add(userId)
    const tokens = this.tokensByUser.get(userId)
    if (tokens === undefined) return
    for (const token of tokens) this.entries.delete(token)
    this.tokensByUser.delete(userId)
  }

  private keep(token: string, signedIn: SignedIn, nowMillis: number): void {
    this.remove(token)
    if (this.entries.size >= entriesMax) this.removeOldest()
    this.entries.set(token, { signedIn, staleAtMillis: nowMillis + lifeMillis })
    const tokens = this.tokensByUser.get(signedIn.userId)
    if (tokens === undefined) this.tokensByUser.set(signedIn.userId, new Set([token]))
    else tokens.add(token)
  }

  private removeOldest(): void {
    const oldest = this.entries.keys().next()
    if (oldest.done !== true) this.remove(oldest.value)
  }

  private remove(token: string): void {
    const entry = this.entries.get(token)
    if (entry === undefined) return
    this.entries.delete(token)
    const { userId } = entry.signedIn
    const tokens = this.tokensByUser.get(userId)
    tokens?.delete(token)
    if (tokens?.size === 0) this.tokensByUser.delete(userId)
  }
}
