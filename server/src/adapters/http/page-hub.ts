// The open pages of everyone, and what each of them is told.

import type { RealtimeTopic } from '@redpack/contract'
import { realtimeSocketsPerUserMax } from '@redpack/contract/limits'
import type { PageFigures } from '../../rules/server-figures.ts'
import type { ProductEvent } from '../events/events.ts'

/** The part of a socket that the hub needs. */
export interface Page {
  send(text: string): void
  close(code: number, reason: string): void
  /** Bytes that wait to be sent to a page which reads too slowly. */
  readonly bufferedAmount: number
}

/** Close codes of RFC 6455: the policy was violated; the server goes away. */
export const policyViolation = 1008
export const goingAway = 1001

const gatherMillis = 50
const bufferedBytesMax = 256 * 1024
/** A session is read this often, whatever is told of its end. */
const lookMillis = 30_000
/** Sessions read by one statement; the others have their turn half a second later. */
const looksMax = 5_000

type CloseReason = 'session_ended' | 'too_slow'

const closeTexts: Readonly<Record<CloseReason, string>> = {
  session_ended: 'The session has ended',
  too_slow: 'Too slow',
}

interface OpenPage {
  readonly page: Page
  readonly userId: number
  readonly sessionHash: string
  readonly topics: Set<RealtimeTopic>
  /** Set when the page was told to close, until it has done so. */
  isEnding: boolean
  /** When the session is to be looked at next. */
  lookAtMillis: number
}

/** Which topic an event is for everybody, if it is. */
const publicTopics: Partial<Record<ProductEvent['type'], RealtimeTopic>> = {
  leaderboard_changed: 'leaderboard',
  streams_changed: 'streams',
  theme_changed: 'theme',
}

/** Which topic an event is for the user it names, if it names one. */
const ownTopics: Partial<Record<ProductEvent['type'], RealtimeTopic>> = {
  user_changed: 'user',
  holdings_changed: 'holdings',
  watch_completed: 'watch',
}

/**
 * Gathers what changed for 50 ms and tells each page once, so that a busy minute costs every page
 * twenty short messages a second at most.
 */
export class PageHub {
  private readonly pages = new Map<number, Set<OpenPage>>()
  private timer: NodeJS.Timeout | undefined
  private readonly closed = new Map<CloseReason, number>()

  /** How many pages are open, and why others were closed. */
  figures(): PageFigures {
    let open = 0
    for (const own of this.pages.values()) open += own.size
    return { open, closed: this.closed }
  }

  /**
   * Adds a page and answers how to remove it; undefined when the user has too many open already.
   */
  add(page: Page, userId: number, sessionHash: string): (() => void) | undefined {
    const own = this.pages.get(userId) ?? new Set()
    if (own.size >= realtimeSocketsPerUserMax) return undefined
    // At once: the session may have ended while the page was let in.
    const open: OpenPage = {
      page,
      userId,
      sessionHash,
      topics: new Set(),
      lookAtMillis: 0,
      isEnding: false,
    }
    own.add(open)
    this.pages.set(userId, own)
    return () => {
      own.delete(open)
      if (own.size === 0) this.pages.delete(userId)
    }
  }

  take(event: ProductEvent): void {
    if (event.type === 'sessions_ended') {
      this.endSessionsOf(event.userId, event.sessionHash)
      return
    }
    const everyone =
      event.type === 'catalogue_changed' ? catalogue(event) : publicTopics[event.type]
    if (everyone !== undefined) {
      for (const own of this.pages.values()) mark(own, everyone)
    }
    const topic = ownTopics[event.type]
    if (topic !== undefined && 'userId' in event) mark(this.pages.get(event.userId), topic)
    this.timer ??= setTimeout(() => this.tell(), gatherMillis).unref()
  }

  isEmpty(): boolean {
    return this.pages.size === 0
  }

  /** Closes the pages of these sessions; most of them have none here. */
  endSessions(sessionHashes: readonly string[]): void {
    if (sessionHashes.length === 0) return
    const ended = new Set(sessionHashes)
    for (const open of this.openPages()) {
      if (ended.has(open.sessionHash)) this.end(open, 'session_ended')
    }
  }

  /** Makes every session one to look at now. */
  lookAtAll(): void {
    for (const open of this.openPages()) open.lookAtMillis = 0
  }

  /** Sessions with open pages that are to be looked at now, at most 5,000. */
  sessionsToLookAt(nowMillis: number): string[] {
    const due = this.openPages().filter(({ lookAtMillis }) => lookAtMillis <= nowMillis)
    return [...new Set(due.map(({ sessionHash }) => sessionHash))].slice(0, looksMax)
  }

  /**
   * Closes the pages of those sessions that are over by `ends`, where one that is gone has no
   * entry; the others are looked at again when they would end.
   */
  endOverdue(
    sessionHashes: readonly string[],
    ends: ReadonlyMap<string, Date>,
    nowMillis: number,
  ): void {
    const looked = new Set(sessionHashes)
    for (const open of this.openPages()) {
      if (!looked.has(open.sessionHash)) continue
      const endMillis = ends.get(open.sessionHash)?.getTime() ?? 0
      if (endMillis <= nowMillis) this.end(open, 'session_ended')
      else open.lookAtMillis = Math.min(endMillis, nowMillis + lookMillis)
    }
  }

  closeAll(): void {
    clearTimeout(this.timer)
    for (const own of this.pages.values()) {
      for (const { page } of own) page.close(goingAway, 'The server is stopping')
    }
    this.pages.clear()
  }

  private endSessionsOf(userId: number, sessionHash: string | undefined): void {
    for (const open of this.pages.get(userId) ?? []) {
      if (sessionHash !== undefined && open.sessionHash !== sessionHash) continue
      this.end(open, 'session_ended')
    }
  }

  private openPages(): OpenPage[] {
    return [...this.pages.values()].flatMap((own) => [...own])
  }

  private end(open: OpenPage, reason: CloseReason): void {
    if (open.isEnding) return
    open.isEnding = true
    this.closed.set(reason, (this.closed.get(reason) ?? 0) + 1)
    open.page.close(policyViolation, closeTexts[reason])
  }

  private tell(): void {
    this.timer = undefined
    for (const own of this.pages.values()) {
      for (const open of own) this.tellPage(open)
    }
  }

  private tellPage(open: OpenPage): void {
    if (open.topics.size === 0 || open.isEnding) return
    const text = JSON.stringify({ changed: [...open.topics] })
    open.topics.clear()
    // A page that does not read its messages asks by its polls; holding more for it helps nobody.
    if (open.page.bufferedAmount > bufferedBytesMax) this.end(open, 'too_slow')
    else open.page.send(text)
  }
}

function catalogue(event: ProductEvent & { type: 'catalogue_changed' }): RealtimeTopic | undefined {
  if (event.what === 'prizes') return undefined
  return event.what
}

function mark(own: Iterable<OpenPage> | undefined, topic: RealtimeTopic): void {
  for (const { topics } of own ?? []) topics.add(topic)
}
