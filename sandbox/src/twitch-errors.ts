// How the Helix stand-in says no: Twitch's error body, its limits, and failures on demand.
// Facts: dev.twitch.tv/docs/api/guide.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bearerOf } from './requests.ts'
import type { TokenGrant, TwitchState } from './twitch-state.ts'

const names: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** Thrown by the stand-in's handlers and answered in Twitch's words. */
export class HelixError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const pointsPerMinute = 800

/** Answers errors of this scope as Twitch does, counts points, and fails when told to. */
export function speakHelix(app: FastifyInstance, state: TwitchState): void {
  const buckets = new Map<string, { points: number; atMillis: number }>()
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof HelixError ? error.status : 400
    const message = error instanceof HelixError ? error.message : 'The request is malformed.'
    return sendError(reply, status, message)
  })
  app.addHook('onRequest', async (request, reply) => {
    if (state.failures.next > 0) {
      state.failures.next -= 1
      return fail(state.failures, reply)
    }
    const bucket = request.headers.authorization ?? ''
    const nowMillis = state.now().getTime()
    const last = buckets.get(bucket) ?? { points: pointsPerMinute, atMillis: nowMillis }
    const gained = ((nowMillis - last.atMillis) / 60_000) * pointsPerMinute
    const points = Math.min(pointsPerMinute, last.points + gained)
    buckets.set(bucket, { points: Math.max(0, points - 1), atMillis: nowMillis })
    const resetSeconds = Math.ceil(nowMillis / 1_000) + 1
    reply.headers({
      'ratelimit-limit': String(pointsPerMinute),
      'ratelimit-remaining': String(Math.max(0, Math.floor(points - 1))),
      'ratelimit-reset': String(resetSeconds),
    })
    return points < 1 ? sendError(reply, 429, 'You have exceeded your rate limit.') : undefined
  })
}

function fail(failures: TwitchState['failures'], reply: FastifyReply): FastifyReply {
  // Without an answer the caller is left to its own patience.
  if (failures.status === 0) return reply.hijack()
  if (failures.status === 429) {
    reply.headers({ 'ratelimit-limit': '800', 'ratelimit-remaining': '0' })
    reply.header('ratelimit-reset', String(Math.ceil(Date.now() / 1_000) + 1))
  }
  return sendError(reply, failures.status, 'The sandbox was told to fail.')
}

function sendError(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ error: names[status] ?? 'Error', status, message })
}

/** The token of a request. @throws HelixError 401 in Twitch's three ways */
export function grantOf(state: TwitchState, request: FastifyRequest): TokenGrant {
  const token = bearerOf(request)
  if (token === '') throw new HelixError(401, 'OAuth token is missing')
  const grant = state.accessTokens.find(token)
  if (grant === undefined) throw new HelixError(401, 'Invalid OAuth token')
  const clientId = request.headers['client-id']
  if (clientId === undefined) throw new HelixError(401, 'Client-Id header is missing')
  if (clientId !== grant.clientId) {
    throw new HelixError(401, 'Client ID and OAuth token do not match')
  }
  return grant
}

/** The person behind a user token. @throws HelixError 401 for an app token or a missing scope */
export function personWith(grant: TokenGrant, scope: string) {
  if (grant.viewer === undefined) throw new HelixError(401, 'A user access token is required')
  if (!grant.scopes.includes(scope)) throw new HelixError(401, `Missing scope: ${scope}`)
  return grant.viewer
}
