// The HTTP server without any route: how bodies are read, errors answered and headers set.

import cookie from '@fastify/cookie'
import { jsonBodyBytesMax } from '@redpack/contract/limits'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { Refusal } from '../../rules/refusal.ts'
import type { World } from '../world.ts'
import { answerBrokenRequest } from './broken-requests.ts'
import { guardCrossSite } from './cross-site.ts'
import { ignoresBody } from './ignored-bodies.ts'
import { acceptMultipart } from './multipart.ts'
import { answerError } from './problem-answers.ts'
import { callHeaders, setSecurityHeaders } from './security-headers.ts'

const requestMillisMax = 30_000
const urlLengthMax = 8_000

/**
 * A server that refuses to start with a route whose access is not stated (default deny) and answers
 * every error with the body of Q-001.
 */
export async function createHttpServer(world: World): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: world.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => world.random.uuid(),
    bodyLimit: jsonBodyBytesMax,
    requestTimeout: requestMillisMax,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    // A proxy's headers are believed only from this machine, so nobody escapes a limit with them.
    trustProxy: 'loopback',
    // An address that cannot be decoded never reaches a route or a hook.
    frameworkErrors: (error, request, reply) => {
      reply.headers(callHeaders(world.config))
      answerError(error, request, reply)
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, world),
  })
  // First, so that what the others refuse carries the headers too.
  setSecurityHeaders(app, world.config)
  app.decorateRequest('caller', undefined)
  readBodies(app)
  requireAccess(app)
  guardCrossSite(app, world.config)
  app.setErrorHandler(answerError)
  await acceptMultipart(app)
  await app.register(cookie)
  return app
}

function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = body.toString()
    // The specification's client logs out with a JSON content type and no body at all.
    if (text.trim() === '') return done(null, {})
    let parsed: unknown
    try {
      parsed = withoutPrototypeKeys(JSON.parse(text))
    } catch (error) {
      const notJson = new Refusal('invalid_input', 'The request body is not valid JSON')
      return done(error instanceof Refusal ? error : notJson)
    }
    done(null, parsed)
  })
  app.addContentTypeParser('*', (request, payload, done) => {
    if (!ignoresBody(request)) return done(wrongType())
    payload.resume()
    done(null, undefined)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.url.length > urlLengthMax) {
      return done(new Refusal('invalid_input', 'The address is too long'))
    }
    done()
  })
}

const wrongType = () => new Refusal('unsupported_media_type', 'This content type is not supported')

/** Refuses keys that could reach into prototypes when an object is merged. */
function withoutPrototypeKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') {
      throw new Refusal('invalid_input', `The field name ${key} is not allowed`)
    }
    withoutPrototypeKeys(inner)
  }
  return value
}

function requireAccess(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) {
      throw new Error(`Route ${String(route.method)} ${route.url} does not state its access`)
    }
  })
}
