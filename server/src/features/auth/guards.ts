// Who is calling and whether they may call again: what every route asks before it does anything.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteGuards } from '../../adapters/http/endpoint-routes.ts'
import type { RequestLimits } from '../../adapters/http/limiter.ts'
import { operatorsOf } from '../../adapters/http/operators.ts'
import { productCookies } from '../../adapters/http/sessions-cookie.ts'
import { becauseOf } from '../../adapters/log/because-of.ts'
import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import { type Actor, mayActOnEverybody } from '../../rules/roles.ts'
import { isConfirmed } from '../../rules/second-factor.ts'
import { SessionCache, SignedIn } from './session-cache.ts'
import { cookieSeconds, endOf, renewal } from './session-lifetime.ts'
import { deleteSession, updateSession } from './tables.ts'
import { tokenHash } from './tokens.ts'
import { readConfirmation, readEndedSessions, readSession, readSessions } from './views.ts'

/** The guards of the whole product. They listen for changes of users and sessions. */
export function createGuards(world: World, limits: RequestLimits): RouteGuards {
  const cache = new SessionCache()
  world.events.subscribe((event) => {
    if (event.type === 'user_changed' || event.type === 'sessions_ended') cache.forget(event.userId)
  })
  const { session: cookie } = productCookies(world.config)

  async function findCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    fresh: boolean,
  ): Promise<Actor | undefined> {
    const nowMillis = world.clock.now().getTime()
    const load = () =>
      loadSession(world, token, (seconds) => {
        cookie.set(reply, token, seconds)
      })
    const found =
      token === ''
        ? undefined
        : await (fresh ? cache.read(token, nowMillis, load) : cache.share(token, nowMillis, load))
    if (found !== undefined) return found
    cookie.clear(reply)
    await limits.takeUnknownSession(request)
    return undefined
  }

  return {
    async authenticate(request, reply, { fresh }) {
      const token = cookie.read(request)
      if (token === undefined) return undefined
      if (!fresh) {
        const kept = cache.get(token, world.clock.now().getTime())
        if (kept !== undefined) return kept
      }
      try {
        return await findCaller(request, reply, token, fresh)
      } catch (error) {
        // What is public stays open, and the ways out work, also when nobody can be recognised.
        if (request.routeOptions.config.access !== 'public') throw error
        if (!(error instanceof Refusal))
          request.log.warn({ err: error, ...becauseOf(error) }, 'session not readable')
        return undefined
      }
    },
    limit: limits.take,
    isOperator: operatorsOf(world.config),
    requireForEverybody: (actor) => requireForEverybody(world, actor),
    sessionEnds: (hashes) => sessionEnds(world, hashes),
    endedSessions: (since) => readEndedSessions(world.db, since),
  }
}

async function requireForEverybody({ config, db, clock }: World, actor: Actor): Promise<void> {
  if (!mayActOnEverybody(actor.role, config.strictRoles)) {
    throw new Refusal('forbidden', 'Only a super user can do this')
  }
  const session = await readConfirmation(db, actor.sessionHash)
  if (session === undefined) throw new Refusal('unauthorized', 'Unauthorized')
  if (!session.hasSecondFactor || isConfirmed(session.confirmedAt, clock.now())) return
  const message = "Enter a code from your authenticator app to confirm it's you"
  throw new Refusal('confirmation_needed', message)
}

/** When each of the sessions ends if nothing more happens; those that are over have no entry. */
async function sessionEnds(
  { db }: World,
  sessionHashes: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await readSessions(db, sessionHashes)
  return new Map(rows.map((row) => [row.sessionHash, endOf(row)]))
}

/** Reads a session, ends it when its time is over, and prolongs it when it is due. */
async function loadSession(
  world: World,
  token: string,
  onRenewed: (cookieSeconds: number) => void,
): Promise<SignedIn | undefined> {
  const sessionHash = tokenHash(token)
  const session = await readSession(world.db, sessionHash)
  if (session === undefined) return undefined
  const now = world.clock.now()
  if (endOf(session) <= now) {
    await deleteSession(world.db, sessionHash)
    return undefined
  }
  const renewedUntil = renewal(session, now)
  if (renewedUntil !== undefined) {
    await updateSession(world.db, sessionHash, now, renewedUntil)
    onRenewed(cookieSeconds(session.kind, session.createdAt, now))
  }
  const endsAt = endOf({ ...session, expiresAt: renewedUntil ?? session.expiresAt })
  return new SignedIn({
    userId: session.userId,
    role: session.role,
    sessionHash,
    endsAt,
    user: session.user,
  })
}
