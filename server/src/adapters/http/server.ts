// The HTTP server without routes: reads bodies, answers errors and sets headers.

import { createHash, timingSafeEqual } from 'node:crypto'
import { bodyBytesMax, bodyMarksMax } from '@redpack/contract/limits'
import Fastify, {
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerFactory,
  LogController,
} from 'fastify'
import type { Config } from '../../config/config.ts'
import { DomainError } from '../../shared/domain-error.ts'
import type { Deps } from '../deps.ts'
import { isLocalCaller } from './caller-address.ts'
import { answerBrokenRequest, ignoresBody, limitUnfinishedBodies, readJson } from './json-body.ts'
import type { RequestLimits } from './limiter.ts'
import { acceptMultipart, bodyTooLarge } from './multipart.ts'
import { answerError } from './problem-answers.ts'
import { callHeaders, guardCrossSite, guardHosts, setSecurityHeaders } from './security-headers.ts'

const requestMillisMax = 30_000
const urlLengthMax = 8_000

/**
 * A server that refuses to start with a route whose access is not stated (default deny) and answers
 * every error with a body of one shape.
 */
export async function createHttpServer(
  deps: Deps,
  serverFactory?: FastifyServerFactory,
): Promise<FastifyInstance> {
  const app = Fastify({
    ...(serverFactory === undefined ? {} : { serverFactory }),
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => deps.random.uuid(),
    // For calls that say nothing else, unknown paths among them.
    bodyLimit: bodyBytesMax.fields,
    requestTimeout: requestMillisMax,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    // A proxy's headers are believed only from named addresses, by default this machine's, so
    // nobody escapes a limit with them.
    trustProxy: [...deps.config.trustedProxies],
    // An address that cannot be decoded never reaches a route or a hook.
    frameworkErrors: (error, request, reply) => {
      reply.headers(callHeaders(deps.config))
      answerError(error, request, reply)
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, deps),
  })
  // First, so that what the others refuse carries the headers too.
  setSecurityHeaders(app, deps.config)
  limitUnfinishedBodies(app, deps)
  app.decorateRequest('caller', undefined)
  guardHosts(app, deps.config)
  readBodies(app)
  requireAccess(app)
  guardCrossSite(app, deps.config)
  app.setErrorHandler(answerError)
  await acceptMultipart(app)
  return app
}

function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const { bodyLimit = 'list' } = request.routeOptions.config ?? {}
    try {
      done(null, readJson(body.toString(), bodyMarksMax[bodyLimit]))
    } catch (error) {
      done(error as Error)
    }
  })
  app.addContentTypeParser('*', (request, payload, done) => {
    if (!ignoresBody(request)) return done(wrongType())
    payload.resume()
    done(null, undefined)
  })
  // Whatever its type, and before a byte of it is read.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const isTooLong = Number(request.headers['content-length']) > request.routeOptions.bodyLimit
    done(isTooLong && request.method !== 'GET' ? bodyTooLarge() : null, payload)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.url.length > urlLengthMax) {
      return done(new DomainError('invalid_input', 'The address is too long'))
    }
    done()
  })
}

const wrongType = () =>
  new DomainError('unsupported_media_type', 'This content type is not supported')

function requireAccess(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) {
      throw new Error(`Route ${String(route.method)} ${route.url} does not state its access`)
    }
  })
}

/**
 * Answers every path without a route with 404 and the usual body, and limits searching for paths.
 */
export function answerUnknownPaths(
  app: FastifyInstance,
  limits: Pick<RequestLimits, 'takeUnknownPath'>,
): void {
  const counted = new WeakSet<FastifyRequest>()
  // Before the body is read: who searches for paths is not waited for.
  app.addHook('onRequest', async (request) => {
    if (!request.is404) return
    counted.add(request)
    await limits.takeUnknownPath(request)
  })
  app.setNotFoundHandler(async (request) => {
    // Routes send here what they do not have, as the site's does; by now that is a 404 as well.
    if (!counted.has(request)) await limits.takeUnknownPath(request)
    throw new DomainError('not_found', 'Not found')
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Tells operators from others without a session; staff are known by theirs. */
export function operatorsOf({
  metricsToken,
}: Pick<Config, 'metricsToken'>): (request: FastifyRequest) => boolean {
  const expected = metricsToken === undefined ? undefined : digest(metricsToken)
  return (request) => {
    if (isLocalCaller(request)) return true
    const shown = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (expected === undefined || shown === undefined) return false
    // Digests have one length, so the time says nothing about the token.
    return timingSafeEqual(digest(shown), expected)
  }
}
