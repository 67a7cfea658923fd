// Keeps sessions and their users in memory for two seconds, so that most requests need no database.

import type { SessionUser } from '@redpack/contract'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../../rules/roles.ts'
import { type JsonText, jsonText } from '../../shared/json-text.ts'

/** The signed-in person of a request, with the answer of the session call ready to send. */
export interface SignedIn extends Actor {
  readonly endsAtMillis: number
  /** The user as JSON text, written once per change and not per request. */
  readonly userJson: JsonText<SessionUser>
}

export function signedInAs(session: Actor, endsAt: Date, user: SessionUser): SignedIn {
  const { suspension } = user
  return { ...session, suspension, endsAtMillis: endsAt.getTime(), userJson: jsonText(user) }
}

/** True of every caller with a session: they come from the cache. */
export const isSignedIn = (actor: Actor): actor is SignedIn => 'userJson' in actor

type Load = () => Promise<SignedIn | undefined>

interface Entry {
  readonly signedIn: SignedIn
  staleAtMillis: number
}

/** A read that is under way, and whom it may have seen as they were before. */
interface Read {
  readonly changedUsers: Set<number>
  isEverybodyChanged: boolean
}

const lifeMillis = 2_000
/** Some 300 bytes each: more than one process can serve at a time. Room is taken as they come. */
const entriesMax = 50_000
const readsMax = 3

/**
 * Sessions by token. What changes a user or ends a session calls `forget`, which also reaches reads
 * that are under way: they are made again, so nothing old is kept after a change was told.
 */
export class SessionCache {
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: entriesMax,
    sizeCalculation: () => 1,
    dispose: ({ signedIn }, token) => this.forgetToken(signedIn.userId, token),
  })
  private readonly tokensByUser = new Map<number, Set<string>>()
  private readonly underWay = new Map<string, Promise<SignedIn | undefined>>()
  private readonly reads = new Set<Read>()

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
      const read: Read = { changedUsers: new Set(), isEverybodyChanged: false }
      this.reads.add(read)
      const signedIn = await load().finally(() => this.reads.delete(read))
      if (signedIn === undefined) {
        this.entries.delete(token)
        return undefined
      }
      if (!read.isEverybodyChanged && !read.changedUsers.has(signedIn.userId)) {
        this.keep(token, signedIn, nowMillis)
        return signedIn
      }
      if (reads === readsMax) return signedIn
    }
  }

  forget(userId: number): void {
    for (const read of this.reads) read.changedUsers.add(userId)
    for (const token of this.tokensByUser.get(userId) ?? []) {
      const entry = this.entries.peek(token)
      // Not deleted: taking its last entry from this cache empties all places there are, which
      // costs more than an opening does.
      if (entry !== undefined) entry.staleAtMillis = 0
    }
  }

  forgetEverybody(): void {
    for (const read of this.reads) read.isEverybodyChanged = true
    this.entries.clear()
  }

  private keep(token: string, signedIn: SignedIn, nowMillis: number): void {
    this.entries.set(token, { signedIn, staleAtMillis: nowMillis + lifeMillis })
    const tokens = this.tokensByUser.get(signedIn.userId)
    if (tokens === undefined) this.tokensByUser.set(signedIn.userId, new Set([token]))
    else tokens.add(token)
  }

  private forgetToken(userId: number, token: string): void {
    const tokens = this.tokensByUser.get(userId)
    tokens?.delete(token)
    if (tokens?.size === 0) this.tokensByUser.delete(userId)
  }
}
