// All open pages, and what each of them is told.

import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import websocket from '@fastify/websocket'
import type { RealtimeTopic } from '@redpack/contract'
import {
  realtimeMessageBytesMax,
  realtimeMessagesPerMinuteMax,
  realtimeSocketsPerUserMax,
} from '@redpack/contract/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { ConnectionFigures } from '../../rules/server-figures.ts'
import { DomainError, signedOut } from '../../shared/domain-error.ts'
import { sharedRuns } from '../../shared/turns.ts'
import type { ProductEvent } from '../events/events.ts'
import type { FeatureContext } from './feature-context.ts'
import { isCrossSite } from './security-headers.ts'

/** The part of a socket that the hub needs. */
export interface Connection {
  /** Sends one text message; bytes are a text that was encoded before. */
  send(text: Buffer, options: { readonly binary: false }): void
  close(code: number, reason: string): void
  /** Bytes that wait to be sent to a page which reads too slowly. */
  readonly bufferedAmount: number
}

/** Close codes of RFC 6455: the policy was violated; the server goes away. */
export const policyViolation = 1008
export const goingAway = 1001

const gatherMillis = 50
/** What concerns everybody is told this often at most: a crowd costs no more than its size. */
const sharedEveryMillis = 1_000
/** Connections told in one go; in between other work has its turn, here and where they are read. */
const toldAtOnce = 100
/** A round through very many is spread over so long; with fewer each pause is at most so long. */
const roundMillis = 700
const pauseMillisMax = 7
const bufferedBytesMax = 256 * 1024
/** A session is read this often, whatever is told of its end. */
const sessionLookMillis = 30_000
/** Sessions read by one statement; the others have their turn half a second later. */
const looksMax = 5_000

const textFrame = { binary: false } as const

type CloseReason = 'session_ended' | 'too_slow'

const closeTexts: Readonly<Record<CloseReason, string>> = {
  session_ended: 'The session has ended',
  too_slow: 'Too slow',
}

interface OpenConnection {
  readonly connection: Connection
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

/** What each looks at again when nobody is named. */
const ofEverybody: readonly RealtimeTopic[] = ['user', 'holdings']

/** Which topic an event is for the user it names, if it names one. */
const ownTopics: Partial<Record<ProductEvent['type'], RealtimeTopic>> = {
  user_changed: 'user',
  holdings_changed: 'holdings',
  watch_completed: 'watch',
}

/**
 * Tells open pages what changed: what concerns their user 50 ms after it happened, and what
 * concerns everybody at once in quiet times, else once a second, as one message made once for all.
 * The work of an event is that of the pages it concerns, never of all that are open.
 */
export class ConnectionHub {
  readonly #ofUser = new Map<number, Set<OpenConnection>>()
  readonly #all = new Set<OpenConnection>()
  /** Connections with something of their own to be told. */
  readonly #changed = new Set<OpenConnection>()
  readonly #shared = new Set<RealtimeTopic>()
  readonly #closed = new Map<CloseReason, number>()
  #ownTimer: NodeJS.Timeout | undefined
  #sharedTimer: NodeJS.Timeout | undefined
  #sharedToldAtMillis = Number.NEGATIVE_INFINITY
  #isTellingAll = false

  /** How many pages are open, and why others were closed. */
  figures(): ConnectionFigures {
    return { open: this.#all.size, closed: this.#closed }
  }

  /**
   * Adds a page and answers how to remove it; undefined when the user has too many open already.
   */
  add(connection: Connection, userId: number, sessionHash: string): (() => void) | undefined {
    const own = this.#ofUser.get(userId) ?? new Set()
    if (own.size >= realtimeSocketsPerUserMax) return undefined
    // At once: the session may have ended while the page was let in.
    const open: OpenConnection = {
      connection,
      sessionHash,
      topics: new Set(),
      lookAtMillis: 0,
      isEnding: false,
    }
    own.add(open)
    this.#ofUser.set(userId, own)
    this.#all.add(open)
    return () => {
      own.delete(open)
      this.#all.delete(open)
      this.#changed.delete(open)
      if (own.size === 0) this.#ofUser.delete(userId)
    }
  }

  take(event: ProductEvent): void {
    if (event.type === 'everybody_changed') {
      for (const topic of ofEverybody) this.#shareSoon(topic)
      return
    }
    const everyone =
      event.type === 'catalogue_changed' ? catalogue(event) : publicTopics[event.type]
    if (everyone !== undefined) this.#shareSoon(everyone)
    const topic = ownTopics[event.type]
    if (topic === undefined || !('userId' in event)) return
    for (const open of this.#ofUser.get(event.userId) ?? []) {
      open.topics.add(topic)
      this.#changed.add(open)
      this.#ownTimer ??= setTimeout(() => this.#tellChanged(), gatherMillis).unref()
    }
  }

  isEmpty(): boolean {
    return this.#all.size === 0
  }

  /** Closes the pages of these sessions; most of them have none here. */
  endSessions(sessionHashes: readonly string[]): void {
    if (sessionHashes.length === 0) return
    const ended = new Set(sessionHashes)
    for (const open of this.#all) {
      if (ended.has(open.sessionHash)) this.#end(open, 'session_ended')
    }
  }

  /** Makes every session one to look at now. */
  lookAtAll(): void {
    for (const open of this.#all) open.lookAtMillis = 0
  }

  /** Sessions with open pages that are to be looked at now, at most 5,000. */
  sessionsToLookAt(nowMillis: number): string[] {
    const due = new Set<string>()
    for (const { lookAtMillis, sessionHash } of this.#all) {
      if (lookAtMillis <= nowMillis) due.add(sessionHash)
      if (due.size === looksMax) break
    }
    return [...due]
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
    for (const open of this.#all) {
      if (!looked.has(open.sessionHash)) continue
      const endMillis = ends.get(open.sessionHash)?.getTime() ?? 0
      if (endMillis <= nowMillis) this.#end(open, 'session_ended')
      else open.lookAtMillis = Math.min(endMillis, nowMillis + sessionLookMillis)
    }
  }

  closeAll(): void {
    clearTimeout(this.#ownTimer)
    clearTimeout(this.#sharedTimer)
    for (const { connection } of this.#all) connection.close(goingAway, 'The server is stopping')
    this.#all.clear()
    this.#ofUser.clear()
    this.#changed.clear()
    this.#shared.clear()
  }

  #end(open: OpenConnection, reason: CloseReason): void {
    if (open.isEnding) return
    open.isEnding = true
    this.#closed.set(reason, (this.#closed.get(reason) ?? 0) + 1)
    open.connection.close(policyViolation, closeTexts[reason])
  }

  #tellChanged(): void {
    this.#ownTimer = undefined
    for (const open of this.#changed) {
      this.#send(open, messageOf(open.topics))
      open.topics.clear()
    }
    this.#changed.clear()
  }

  #shareSoon(topic: RealtimeTopic): void {
    this.#shared.add(topic)
    if (this.#sharedTimer !== undefined || this.#isTellingAll) return
    const untilDue = this.#sharedToldAtMillis + sharedEveryMillis - performance.now()
    const wait = Math.max(gatherMillis, untilDue)
    this.#sharedTimer = setTimeout(() => void this.#tellAll(), wait).unref()
  }

  async #tellAll(): Promise<void> {
    this.#sharedTimer = undefined
    this.#sharedToldAtMillis = performance.now()
    this.#isTellingAll = true
    const message = messageOf(this.#shared)
    this.#shared.clear()
    const share = Math.floor((roundMillis * toldAtOnce) / Math.max(1, this.#all.size))
    const pauseMillis = Math.min(pauseMillisMax, share)
    let told = 0
    for (const open of this.#all) {
      this.#send(open, message)
      told += 1
      if (told % toldAtOnce === 0) {
        await (pauseMillis > 0 ? pause(pauseMillis, undefined, { ref: false }) : setImmediate())
      }
    }
    this.#isTellingAll = false
    // What changed meanwhile is told in its own second.
    const [next] = this.#shared
    if (next !== undefined) this.#shareSoon(next)
  }

  #send(open: OpenConnection, message: Buffer): void {
    if (open.isEnding) return
    // A page that does not read its messages asks by its polls; holding more for it helps nobody.
    if (open.connection.bufferedAmount > bufferedBytesMax) this.#end(open, 'too_slow')
    else open.connection.send(message, textFrame)
  }
}

function messageOf(topics: ReadonlySet<RealtimeTopic>): Buffer {
  return Buffer.from(JSON.stringify({ changed: [...topics] }))
}

function catalogue(event: ProductEvent & { type: 'catalogue_changed' }): RealtimeTopic | undefined {
  if (event.what === 'prizes') return undefined
  return event.what
}

/** The part of a socket that keeping watch over it needs. */
export type WatchedSocket = Pick<WebSocket, 'ping' | 'terminate' | 'close' | 'on'>

const pingMillis = 30_000
/** Pages that open together are first pinged a second apart: pings never go out together. */
const turns = pingMillis / 1_000

/**
 * Pings a socket every 30 s and ends it when it has not answered the ping before. Pages have
 * nothing to say: the limit of messages only keeps a broken one from talking all day. `opened` is
 * how many sockets there were before.
 */
export function watchSocket(socket: WatchedSocket, opened: number): void {
  let hasAnswered = true
  let pings = 0
  let messages = 0
  const beat = () => {
    if (!hasAnswered) {
      socket.terminate()
      return
    }
    hasAnswered = false
    pings += 1
    if (pings % 2 === 0) messages = 0
    socket.ping()
  }
  let timer = setTimeout(
    () => {
      beat()
      timer = setInterval(beat, pingMillis).unref()
    },
    ((opened % turns) + 1) * 1_000,
  ).unref()
  socket.on('pong', () => {
    hasAnswered = true
  })
  socket.on('message', () => {
    messages += 1
    if (messages > realtimeMessagesPerMinuteMax) socket.close(policyViolation, 'Too many messages')
  })
  socket.on('close', () => clearInterval(timer))
}

/** Twice in the time within which a page must be closed, and once to spare. */
const lookMillis = 500

/**
 * Twice a second asks the database which sessions have ended, so that pages close within two
 * seconds however events travel between processes, or do not. One short statement does it for all
 * pages of the process; the sessions themselves are read when a page is new, when their time is
 * over, and now and then. Answers how to stop.
 */
export function lookAtSessions(
  hub: ConnectionHub,
  { deps, guards }: Pick<FeatureContext, 'deps' | 'guards'>,
): () => void {
  let since: Date | undefined

  const look = sharedRuns(async () => {
    if (hub.isEmpty()) {
      since = undefined
      return
    }
    const ended = await guards.endedSessions(since)
    since = ended?.asOf
    if (ended === undefined) hub.lookAtAll()
    else hub.endSessions(ended.sessionHashes)
    const nowMillis = deps.clock.now().getTime()
    const due = hub.sessionsToLookAt(nowMillis)
    if (due.length > 0) hub.endOverdue(due, await guards.sessionEnds(due), nowMillis)
  })

  const timer = setInterval(() => {
    look().catch((error: unknown) => {
      // Tried again soon.
      deps.log.warn({ err: error }, 'sessions of open pages not readable')
    })
  }, lookMillis)
  timer.unref()
  return () => clearInterval(timer)
}

/** Opens a socket per page at `path` and tells it what changed; everything ends with the server. */
export async function serveConnections(
  { app, deps, guards }: FeatureContext,
  path: string,
  hub: ConnectionHub,
): Promise<void> {
  const unsubscribe = deps.events.subscribe((event) => hub.take(event))
  const stopLooking = lookAtSessions(hub, { deps, guards })
  let opened = 0
  await app.register(websocket, {
    options: { maxPayload: realtimeMessageBytesMax, perMessageDeflate: false },
    preClose: (done) => {
      unsubscribe()
      stopLooking()
      hub.closeAll()
      done()
    },
    errorHandler(error, socket, request) {
      // Frames against RFC 6455 are a fault of whoever sends them.
      const isOfClient = 'code' in error && String(error.code).startsWith('WS_ERR_')
      if (!isOfClient) request.log.error(error)
      socket.terminate()
    },
  })
  const options = {
    websocket: true as const,
    config: { access: 'viewer' as const },
    exposeHeadRoute: false,
    preValidation: async (request: FastifyRequest, reply: FastifyReply) => {
      const actor = await guards.authenticate(request, reply, { fresh: true })
      if (actor === undefined) throw signedOut()
      await guards.limit('read', request, actor)
      // Cookies travel with a socket that another site opens, so its origin decides.
      if (isCrossSite(request, deps.config)) {
        throw new DomainError('cross_site', 'This request must come from the application itself')
      }
      request.caller = actor
    },
  }
  app.get(path, options, (socket, request) => {
    const actor = request.caller
    const remove = actor && hub.add(socket, actor.userId, actor.sessionHash)
    if (remove === undefined) {
      socket.close(policyViolation, actor === undefined ? 'Unauthorized' : 'Too many open pages')
      return
    }
    socket.on('close', remove)
    watchSocket(socket, opened)
    opened += 1
  })
}
