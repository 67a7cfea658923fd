// The headers that protect every answer; a page gets the full set, a call the short one.

import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { DomainError } from '../../shared/domain-error.ts'

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

type HostSettings = Pick<Config, 'publicUrl' | 'isPublicUrlSet' | 'allowedHosts'>

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * True when a browser says that a page of another origin caused the request. A request with neither
 * header does not come from a browser and carries no one else's cookies.
 */
export function isCrossSite(request: FastifyRequest, config: HostSettings): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = request.headers
  return origin !== undefined && !isOwnOrigin(request, config, origin)
}

/** What a call is for; all else a page loads by itself for whoever looks, with their cookies. */
const calledFor = new Set<unknown>([undefined, 'document', 'empty', 'websocket'])

/**
 * Guards every unsafe method, body or not, on every route that does not prove its sender otherwise,
 * and every call against being a picture or another part of a page.
 */
export function guardCrossSite(app: FastifyInstance, config: HostSettings): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { url, config: route } = request.routeOptions
    if (route.access === 'signature' || route.fromAnySite === true) return done()
    const isPart =
      url?.startsWith('/api/') === true && !calledFor.has(request.headers['sec-fetch-dest'])
    if (isPart || (!safeMethods.has(request.method) && isCrossSite(request, config))) {
      return done(
        new DomainError('cross_site', 'This request must come from the application itself'),
      )
    }
    done()
  })
}

type GuardSettings = HostSettings & Pick<Config, 'sandbox' | 'isSandboxOpen'>

const hostHeader = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+?)\.?(:\d{1,5})?$/i
const loopbackAddress = /^(::1|(::ffff:)?127\.[\d.]+)$/
const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** The name in a Host header, lower case; undefined when it is none. */
function nameIn(host: string | undefined): string | undefined {
  return hostHeader.exec(host ?? '')?.[1]?.toLowerCase()
}

function hostHeaders(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1
  }
  return count
}

/**
 * Names that nobody else can point at this server: those of this machine, and bare addresses. Any
 * other name may be somebody's whose records lead here, so that their page passes for ours.
 */
function cannotBeRebound(name: string): boolean {
  return loopbackNames.includes(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0
}

/**
 * Refuses requests for a name that is not ours; supervisors may ask after health under any. A
 * sandbox that is not open also refuses who comes through a proxy of this machine from elsewhere.
 */
export function guardHosts(app: FastifyInstance, config: GuardSettings): void {
  const isForUsAlone = config.sandbox && !config.isSandboxOpen
  const names = new Set([nameIn(new URL(config.publicUrl).host), ...config.allowedHosts])
  app.addHook('onRequest', (request, _reply, done) => {
    // RFC 9112, section 3.2: which of several a proxy has looked at cannot be known.
    if (hostHeaders(request.raw.rawHeaders) > 1) {
      return done(new DomainError('invalid_input', 'The request has more than one Host header'))
    }
    if (isForUsAlone && !loopbackAddress.test(request.ip)) {
      return done(new DomainError('forbidden', 'This sandbox is not open to others'))
    }
    const name = nameIn(request.headers.host)
    const isServed = name !== undefined && (names.has(name) || cannotBeRebound(name))
    if (isServed || request.routeOptions.url?.startsWith('/health/') === true) return done()
    done(new DomainError('wrong_host', 'This server does not answer to that name'))
  })
}

/**
 * The product's origin as the browser knows it: PUBLIC_URL; without it the name that the browser
 * used, as far as it cannot be anybody else's.
 */
export function originFor(request: FastifyRequest, config: HostSettings): string {
  const { host } = request.headers
  const name = nameIn(host)
  if (config.isPublicUrlSet || name === undefined || !cannotBeRebound(name)) return config.publicUrl
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).origin : config.publicUrl
}

/** An address of the product itself, as the browser knows it; others stay as they are. */
export function addressFor(request: FastifyRequest, config: HostSettings, address: string): string {
  return address.startsWith(`${config.publicUrl}/`)
    ? originFor(request, config) + address.slice(config.publicUrl.length)
    : address
}

/** True for the product's own origin; a server on this machine has it under each loopback name. */
export function isOwnOrigin(
  request: FastifyRequest,
  config: HostSettings,
  origin: string,
): boolean {
  if (origin === config.publicUrl || origin === originFor(request, config)) return true
  if (!URL.canParse(origin)) return false
  const [left, right] = [new URL(origin), new URL(config.publicUrl)]
  return (
    left.origin === origin &&
    loopbackNames.includes(left.hostname) &&
    loopbackNames.includes(right.hostname) &&
    left.port === right.port &&
    left.protocol === right.protocol
  )
}
