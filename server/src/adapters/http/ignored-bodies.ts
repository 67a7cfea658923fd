// The ways out, which work whatever a browser sends along.

import type { FastifyRequest } from 'fastify'

/**
 * True for public calls that take no body: a plain form that posts to a way out signs out, though
 * its content type is one that nothing reads.
 */
export function ignoresBody({ routeOptions }: FastifyRequest): boolean {
  const { access, bodyKind } = routeOptions.config ?? {}
  return access === 'public' && bodyKind === 'none'
}
