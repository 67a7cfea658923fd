// Refuses unsafe requests that another site made a browser send.
// Follows the algorithm of Go 1.25's http.CrossOriginProtection: Sec-Fetch-Site first, then Origin.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { Refusal } from '../../rules/refusal.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * True when a browser says that a page of another origin caused the request. A request with neither
 * header does not come from a browser and carries no one else's cookies.
 */
export function isCrossSite(request: FastifyRequest, config: Pick<Config, 'publicUrl'>): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = request.headers
  if (origin === undefined) return false
  // Browsers may reach a loopback server under either of its names; the port must still be ours.
  return origin !== config.publicUrl && !isLoopbackTwin(origin, config.publicUrl)
}

function isLoopbackTwin(origin: string, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false
  const [left, right] = [new URL(origin), new URL(publicUrl)]
  const isLoopback = (url: URL) => ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  return (
    isLoopback(left) &&
    isLoopback(right) &&
    left.port === right.port &&
    left.protocol === right.protocol
  )
}

/**
 * Guards every unsafe method, body or not, on every route that does not prove its sender otherwise.
 */
export function guardCrossSite(app: FastifyInstance, config: Pick<Config, 'publicUrl'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (safeMethods.has(request.method) || request.routeOptions.config.access === 'signature') {
      return done()
    }
    // The emergency logout answers a foreign page with its redirect and leaves the session alone.
    if (request.routeOptions.url === '/api/auth/emergency-logout') return done()
    if (isCrossSite(request, config)) {
      return done(new Refusal('cross_site', 'This request must come from the application itself'))
    }
    done()
  })
}
