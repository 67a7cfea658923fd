// The headers that protect every answer; a page gets the full set, a call the short one.

import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'

// Fixed: building them per request would cost more than it saves.
const forCalls = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Hashes of what stands in a page itself, as its policy names them; nothing else may. */
export interface InlineHashes {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/** Headers of the application's pages, for a browser that knows it under this origin. */
export function pageHeaders(
  origin: string,
  inline: InlineHashes = { scripts: [], styles: [] },
): Record<string, string> {
  const { host, protocol } = new URL(origin)
  const socket = `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}`
  return {
    'content-security-policy': [
      "default-src 'self'",
      ["script-src 'self'", ...inline.scripts].join(' '),
      ["style-src 'self'", ...inline.styles].join(' '),
      "img-src 'self' data: blob: https:",
      `connect-src 'self' ${socket}`,
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    ...transport(origin),
  }
}

function transport(origin: string): Record<string, string> {
  return origin.startsWith('https:')
    ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : {}
}

/** Headers of answers to calls. */
export function callHeaders(config: Pick<Config, 'publicUrl'>): Record<string, string> {
  return { ...forCalls, ...transport(config.publicUrl) }
}

/** Sets the short set on every answer; whoever serves a page replaces it with `pageHeaders`. */
export function setSecurityHeaders(app: FastifyInstance, config: Pick<Config, 'publicUrl'>): void {
  const headers = callHeaders(config)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
