// What a path that does not exist is answered.

import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../shared/domain-error.ts'
import type { RequestLimits } from './limiter.ts'

/**
 * Answers every path without a route with 404 and the usual body, and limits searching for paths.
 */
export function answerUnknownPaths(
  app: FastifyInstance,
  limits: Pick<RequestLimits, 'takeUnknownPath'>,
): void {
  // Before the body is read: who searches for paths is not waited for.
  app.addHook('onRequest', async (request) => {
    if (request.is404) await limits.takeUnknownPath(request)
  })
  app.setNotFoundHandler(async (request) => {
    // The site's route asks here for what it does not have.
    if (!request.is404) await limits.takeUnknownPath(request)
    throw new DomainError('not_found', 'Not found')
  })
}
