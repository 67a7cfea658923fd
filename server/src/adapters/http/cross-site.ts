// Refuses unsafe requests that another site made a browser send.
// Follows the algorithm of Go 1.25's http.CrossOriginProtection: Sec-Fetch-Site first, then Origin.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { isOwnOrigin } from './hosts.ts'

type OriginSettings = Pick<Config, 'publicUrl' | 'isPublicUrlSet' | 'allowedHosts'>

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * True when a browser says that a page of another origin caused the request. A request with neither
 * header does not come from a browser and carries no one else's cookies.
 */
export function isCrossSite(request: FastifyRequest, config: OriginSettings): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = request.headers
  return origin !== undefined && !isOwnOrigin(request, config, origin)
}

/**
 * Guards every unsafe method, body or not, on every route that does not prove its sender otherwise.
 */
export function guardCrossSite(app: FastifyInstance, config: OriginSettings): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (safeMethods.has(request.method) || request.routeOptions.config.access === 'signature') {
      return done()
    }
    // The emergency logout answers a foreign page with its redirect and leaves the session alone.
    if (request.routeOptions.url === '/api/auth/emergency-logout') return done()
    if (isCrossSite(request, config)) {
      return done(
        new DomainError('cross_site', 'This request must come from the application itself'),
      )
    }
    done()
  })
}
