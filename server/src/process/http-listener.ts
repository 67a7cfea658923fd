// The HTTP server of a process from start to stop: early calls wait, and calls during the stop are
// still served.

import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { realtimePath } from '@redpack/contract'
import type { FastifyServerFactory } from 'fastify'
import type { Config } from '../config/config.ts'
import { unusableAddress } from './listening-address.ts'

/** Connections that the system keeps until they are taken; each beyond waits for seconds. */
const backlogMax = 4_096
/** How long a call that came too early waits for the start, and how many may. */
const holdMillisMax = 5_000
const heldMax = 1_000
/**
 * Connections with a call under way, open pages not counted; who comes then is refused at once. A
 * call counts when its body is there, so that half of one keeps nobody out.
 */
const underWayMax = 2_000
/** Calls under way on one connection; neither browsers nor proxies send a second. */
const pipelinedMax = 10
/** How long an answer waits for somebody who reads nothing of it. */
const stalledMillisMax = 30_000
const retryAfterSeconds = 5
/** A connection that was taken and says nothing keeps a stop waiting no longer than this. */
const silentMillisMax = 1_000
const lookMillis = 20
/** The last look at the sockets is no older than this when no more are taken; and looks at most. */
const freshLookMillis = 0.5
const freshLooksMax = 200
/** How long the headers of a call may take, and how often late ones are looked for. */
const headersMillisMax = 10_000
const lateCheckMillis = 2_000

const starting = 'The service is starting, please try again in a moment'
const stopping = 'The service is stopping'
const busy = 'The service is busy, please try again in a moment'

interface Held {
  readonly serve: () => void
  readonly refuse: () => void
}

/** A call that offers another protocol is one like any other, unless a page asks for its socket. */
class Call extends IncomingMessage {
  declare isOffered: boolean
  set upgrade(isOffered: boolean) {
    this.isOffered = isOffered
  }
  /** Node asks before it gives the connection away (RFC 9110, section 7.8). */
  get upgrade(): boolean {
    return this.isOffered && (this.method === 'CONNECT' || asksForSocket(this))
  }
}

/**
 * Listens on one socket that is handed from the waiting process to the product without a gap. Calls
 * that arrive before `open` wait for it, at most 5 s; `/health/live` and `/health/ready` never do.
 * While 2,000 connections have calls under way, others are answered 503 at once; health is told all
 * the same.
 */
export class HttpListener {
  readonly #address: Pick<Config, 'host' | 'port'>
  readonly #callsMax: number
  readonly #server: Server
  readonly #connections = new Set<Socket>()
  /** Calls without a whole answer, by their connection and in their order. */
  readonly #underWay = new Map<Socket, Set<ServerResponse>>()
  readonly #held = new Set<Held>()
  /** When somebody was last refused because there were too many. */
  #refusedAt = Number.NEGATIVE_INFINITY
  #handler: RequestListener | undefined
  #isOpen = false
  #isLeaving = false
  #listening: Promise<void> | undefined
  #isClosed = false

  constructor(
    address: Pick<Config, 'host' | 'port'>,
    { callsMax = underWayMax, stalledMillis = stalledMillisMax } = {},
  ) {
    this.#address = address
    this.#callsMax = callsMax
    this.#server = createServer(
      {
        IncomingMessage: Call,
        connectionsCheckingInterval: lateCheckMillis,
        headersTimeout: headersMillisMax,
      },
      (request, response) => this.#take(request, response),
    )
    this.#server.on('connection', (socket: Socket) => {
      this.#connections.add(socket)
      socket.once('close', () => {
        this.#connections.delete(socket)
        // An answer that waits behind another hears nothing of the end.
        this.#underWay.delete(socket)
      })
    })
    // A call that takes long has nothing to send yet, and a slow line is not seen to move for long:
    // both go on, but nobody waits for who may read nothing.
    this.#server.setTimeout(stalledMillis, (socket) => {
      const isInTheWay = performance.now() - this.#refusedAt < 10 * stalledMillis
      const isStalled = socket.writableLength > 0 && isInTheWay
      if (isStalled || !this.#underWay.has(socket)) socket.destroy()
      else socket.setTimeout(stalledMillis)
    })
  }

  /** Lets Fastify build on this server instead of one of its own. */
  readonly serverFactory: FastifyServerFactory = (handler, options) => {
    this.#handler = handler
    this.#server.keepAliveTimeout = Number(options['keepAliveTimeout'])
    this.#server.requestTimeout = Number(options['requestTimeout'])
    return this.#server
  }

  /** Takes connections from now on; a second call changes nothing. @throws UnusableAddress */
  listen(): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    const { host, port } = this.#address
    this.#listening ??= new Promise<void>((resolve, reject) => {
      const fail = (error: Error) => {
        this.#listening = undefined
        reject(unusableAddress(this.#address, error))
      }
      this.#server.once('error', fail)
      this.#server.listen({ host, port, backlog: backlogMax }, () => {
        this.#server.off('error', fail)
        resolve()
      })
    })
    return this.#listening
  }

  /** The product is built: it gets what waits and all that comes. */
  open(): void {
    if (this.#isOpen || this.#isLeaving) return
    this.#isOpen = true
    // A page's socket lives until the product closes it; a stop does not wait for it here.
    this.#server.on('upgrade', (_request, socket) => this.#connections.delete(socket as Socket))
    for (const { serve } of this.#held) serve()
  }

  /**
   * Readiness is refused from now on, so that health checks send calls elsewhere. What still comes
   * is served, and each answer closes its connection, so that none is cut off later.
   */
  leave(): void {
    this.#isLeaving = true
    for (const { refuse } of this.#held) refuse()
    for (const calls of this.#underWay.values()) for (const call of calls) closeAfter(call)
  }

  /** Takes no more connections and waits for the calls under way, at most `millisMax`. */
  async close(millisMax: number): Promise<void> {
    this.leave()
    this.#isClosed = true
    await this.#listening?.catch(() => undefined)
    await this.#takeWaiting()
    this.#server.close()
    const startMillis = performance.now()
    while (this.#connections.size > 0) {
      const millis = performance.now() - startMillis
      if (millis > millisMax || (millis > silentMillisMax && this.#underWay.size === 0)) break
      await new Promise((resolve) => setTimeout(resolve, lookMillis))
      this.#server.closeIdleConnections()
    }
    this.#server.closeAllConnections()
  }

  /**
   * Closing resets connections that the system has established and nobody has taken yet, and a
   * proxy sends a call that was reset no second time. So sockets are looked at until a look found
   * nobody and took next to no time. A process that is never quiet closes in the end.
   */
  async #takeWaiting(): Promise<void> {
    let isQuiet = false
    const note = () => {
      isQuiet = false
    }
    this.#server.on('connection', note)
    for (let look = 0; look < freshLooksMax && !isQuiet; look += 1) {
      const startMillis = performance.now()
      isQuiet = true
      await new Promise((resolve) => setImmediate(resolve))
      if (look === 0 || performance.now() - startMillis > freshLookMillis) isQuiet = false
    }
    this.#server.off('connection', note)
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const calls = this.#underWay.get(socket) ?? new Set()
    this.#underWay.set(socket, calls.add(response))
    response.once('close', () => {
      calls.delete(response)
      if (calls.size === 0) this.#underWay.delete(socket)
    })
    const path = request.url?.split('?', 1)[0]
    const isReadiness = path === '/health/ready'
    if (this.#isLeaving) closeAfter(response)
    if (this.#isLeaving && (isReadiness || !this.#isOpen)) refuse(response, stopping)
    else if (calls.size > pipelinedMax) refuse(response, busy)
    else if (this.#isFull() && path?.startsWith('/health/') !== true) {
      this.#refusedAt = performance.now()
      refuse(response, busy)
    } else if (this.#isOpen) this.#handler?.(request, response)
    else if (path === '/health/live') answer(response, 200, { status: 'ok' })
    // A page asks for its socket again by itself.
    else if (isReadiness || asksForSocket(request)) refuse(response, starting)
    else if (this.#held.size < heldMax) this.#hold(request, response)
    else refuse(response, starting)
  }

  #isFull(): boolean {
    if (this.#underWay.size <= this.#callsMax) return false
    let complete = 0
    for (const [first] of this.#underWay.values()) if (first?.req.complete === true) complete += 1
    return complete >= this.#callsMax
  }

  #hold(request: IncomingMessage, response: ServerResponse): void {
    const settle = (next: () => void) => () => {
      if (!this.#held.delete(held)) return
      clearTimeout(timer)
      next()
    }
    const held: Held = {
      serve: settle(() => this.#handler?.(request, response)),
      refuse: settle(() => refuse(response, starting)),
    }
    const timer = setTimeout(held.refuse, holdMillisMax)
    // Whoever hangs up waits no longer.
    response.once(
      'close',
      settle(() => undefined),
    )
    this.#held.add(held)
  }
}

function asksForSocket({ url, headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url?.split('?', 1)[0] === realtimePath
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

function refuse(response: ServerResponse, message: string): void {
  response.setHeader('retry-after', String(retryAfterSeconds))
  const { method, headers } = response.req
  if (method === 'GET' && headers.accept?.includes('text/html')) sendWaitingPage(response, message)
  else answer(response, 503, { code: 'service_unavailable', message, error: message })
}

/** What a person sees instead of JSON; the browser asks again by itself. */
function sendWaitingPage(response: ServerResponse, message: string): void {
  response.writeHead(503, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  })
  response.end(`<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${retryAfterSeconds}">
<title>One moment</title>
<style>
  body { display: grid; min-height: 90vh; place-content: center; text-align: center;
    font: 1.25rem system-ui, sans-serif; color: #fff; background: #1a1a2e; }
</style>
<h1>One moment</h1>
<p>${message}.</p>
</html>
`)
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(JSON.stringify(body))
}
