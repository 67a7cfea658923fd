// Bodies that are still on their way: how many of them an address may have, and how long each may
// take. Without this, a few hundred kilobytes of half-sent calls would keep everybody else out.

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../shared/domain-error.ts'
import type { Deps } from '../deps.ts'
import { answerBrokenRequest } from './broken-requests.ts'
import { addressKey } from './caller-address.ts'

/** Bodies that one address may have under way at once. */
export const unfinishedPerAddressMax = 100
/** A body of a call, and a file of staff over a slow line. */
const bodyMillisMax = 10_000
const fileMillisMax = 30_000
const lookMillis = 1_000

interface Arrival {
  readonly raw: IncomingMessage
  readonly deadlineMillis: number
}

/** Looks before anything else does, on every path, and before a byte of the body is waited for. */
export function limitUnfinishedBodies(
  app: FastifyInstance,
  deps: Pick<Deps, 'config' | 'random'>,
): void {
  const arrivals = new Map<string, Set<Arrival>>()
  const prune = (address: string, own: Set<Arrival>) => {
    for (const arrival of own) {
      if (arrival.raw.complete || arrival.raw.destroyed) own.delete(arrival)
    }
    if (own.size === 0) arrivals.delete(address)
  }
  const look = setInterval(() => {
    const now = performance.now()
    for (const [address, own] of arrivals) {
      prune(address, own)
      for (const { raw, deadlineMillis } of own) if (deadlineMillis < now) endLate(raw, deps)
    }
  }, lookMillis)
  look.unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(look)
    done()
  })
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    if (raw.complete || !sendsBody(request)) return done()
    const address = addressKey(request.ip)
    const own = arrivals.get(address) ?? new Set()
    if (own.size >= unfinishedPerAddressMax) prune(address, own)
    if (own.size >= unfinishedPerAddressMax) {
      // What is left of the body is not waited for.
      reply.header('connection', 'close')
      return done(
        new DomainError('rate_limited', 'Too many unfinished requests, try again in a moment', {
          retryAfterSeconds: 1,
        }),
      )
    }
    const arrival = { raw, deadlineMillis: performance.now() + millisMax(request) }
    arrivals.set(address, own.add(arrival))
    reply.raw.once('close', () => {
      own.delete(arrival)
      if (own.size === 0 && arrivals.get(address) === own) arrivals.delete(address)
    })
    done()
  })
}

/** By its headers, as RFC 9112 section 6.3 tells a request with a body from one without. */
function sendsBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}

function millisMax({ routeOptions }: FastifyRequest): number {
  const { bodyLimit } = routeOptions.config ?? {}
  return bodyLimit === 'file' || bodyLimit === 'picture' ? fileMillisMax : bodyMillisMax
}

function endLate(raw: IncomingMessage, deps: Pick<Deps, 'config' | 'random'>): void {
  const late = Object.assign(new Error('Body too late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  answerBrokenRequest(late, raw.socket, deps)
}
