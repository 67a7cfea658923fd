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

interface Entry {
  readonly signedIn: SignedIn
  readonly staleAtMillis: number
  /** How many changes had been told when its read began. */
  readonly readAt: number
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
  })
  /** Changes are counted: what was read before the last one of its user is old. */
  private changes = 0
  private everybodyAt = 0
  private readonly changedAt = new Map<number, number>()

  get(token: string, nowMillis: number): SignedIn | undefined {
    const entry = this.entries.get(token)
    if (entry === undefined || entry.staleAtMillis <= nowMillis) return undefined
    const { signedIn, readAt } = entry
    if (!this.isCurrent(signedIn, readAt)) return undefined
    return signedIn.endsAtMillis > nowMillis ? signedIn : undefined
  }

  /** Reads a session now, whatever is kept, and keeps what it finds. */
  async read(
    token: string,
    nowMillis: number,
    load: () => Promise<SignedIn | undefined>,
  ): Promise<SignedIn | undefined> {
    for (let reads = 1; ; reads += 1) {
      const readAt = this.changes
      const signedIn = await load()
      if (signedIn === undefined) {
        this.entries.delete(token)
        return undefined
      }
      if (this.isCurrent(signedIn, readAt)) {
        this.entries.set(token, { signedIn, readAt, staleAtMillis: nowMillis + lifeMillis })
        return signedIn
      }
      if (reads === readsMax) return signedIn
    }
  }

  forget(userId: number): void {
    if (this.changedAt.size >= entriesMax) this.forgetEverybody()
    this.changes += 1
    this.changedAt.set(userId, this.changes)
  }

  forgetEverybody(): void {
    this.changes += 1
    this.everybodyAt = this.changes
    this.changedAt.clear()
    this.entries.clear()
  }

  private isCurrent({ userId }: SignedIn, readAt: number): boolean {
    return readAt >= Math.max(this.everybodyAt, this.changedAt.get(userId) ?? 0)
  }
}
