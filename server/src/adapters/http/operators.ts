// Who may read what operators read: a caller on this machine, or whoever carries the token.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { isLocalCaller } from './caller-address.ts'

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
