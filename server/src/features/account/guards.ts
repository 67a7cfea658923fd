// Who is calling and whether they may call again: what every route asks before it does anything.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../adapters/deps.ts'
import type { RouteGuards } from '../../adapters/http/endpoint-routes.ts'
import type { RequestLimits } from '../../adapters/http/limiter.ts'
import { operatorsOf } from '../../adapters/http/server.ts'
import { productCookies } from '../../adapters/http/sessions-cookie.ts'
import {
  type Actor,
  isSuspended,
  mayActOnEverybody,
  requireNotSuspended,
} from '../../rules/roles.ts'
import { isConfirmed } from '../../rules/second-factor.ts'
import { DomainError, signedOut } from '../../shared/domain-error.ts'
import { batchedReads, KeyedSemaphore } from '../../shared/turns.ts'
import { SessionCache, type SignedIn, signedInAs } from './session-cache.ts'
import { cookieSeconds, endOf, renewal } from './session-lifetime.ts'
import {
  readConfirmation,
  readEndedSessions,
  readSessions,
  readSessionsWithUsers,
} from './session-tables.ts'
import { deleteSession, hasJustEnded, updateSession } from './tables.ts'
import { tokenHash } from './tokens.ts'

/** Half of the connections that a process has to the database unless told otherwise. */
const turnsOfOne = { maxConcurrency: 4, maxQueue: 1_000 }
/** After one that could not be written, for everybody. */
const renewPauseMillis = 60_000

type SessionSource = ReturnType<typeof sessionSource>

/** Sessions that are asked for together are read together; none is renewed before a moment. */
function sessionSource(deps: Deps) {
  const reads = batchedReads(async (hashes: readonly string[]) => {
    const sessions = await readSessionsWithUsers(deps.db, hashes)
    return hashes.map((hash) => sessions.get(hash))
  })
  return { reads, renewAgainMillis: 0 }
}

/** The guards of the whole product. They listen for changes of users and sessions. */
export function createGuards(deps: Deps, limits: RequestLimits): RouteGuards {
  const cache = new SessionCache()
  const source = sessionSource(deps)
  deps.events.subscribe((event) => {
    if (event.type === 'user_changed' || event.type === 'sessions_ended') cache.forget(event.userId)
    if (event.type === 'everybody_changed') cache.forgetEverybody()
  })
  const turns = new KeyedSemaphore(turnsOfOne)
  const { session: cookie } = productCookies(deps.config)

  async function findCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
  ): Promise<Actor | undefined> {
    const nowMillis = deps.clock.now().getTime()
    const load = () =>
      loadSession(deps, source, token, (seconds) => {
        cookie.set(reply, token, seconds)
      })
    const found = token === '' ? undefined : await cache.read(token, nowMillis, load)
    if (found !== undefined) return found
    // By now the browser may have the cookie of the session that has replaced this one.
    if (!(await hasJustEnded(deps.db, tokenHash(token)))) cookie.clear(reply)
    await limits.takeUnknownSession(request)
    return undefined
  }

  return {
    async authenticate(request, reply, { fresh }) {
      const token = cookie.read(request)
      if (token === undefined) return undefined
      if (!fresh) {
        const kept = cache.get(token, deps.clock.now().getTime())
        if (kept !== undefined) return kept
      }
      try {
        return await findCaller(request, reply, token)
      } catch (error) {
        // What is public stays open, and the ways out work, also when nobody can be recognised.
        if (request.routeOptions.config.access !== 'public') throw error
        if (!(error instanceof DomainError))
          request.log.warn({ err: error }, 'session not readable')
        return undefined
      }
    },
    limit: limits.take,
    inTurn: (actor, work) => (actor === undefined ? work() : turns.take(actor.userId, work)),
    isOperator: operatorsOf(deps.config),
    requireForEverybody: (actor) => requireForEverybody(deps, actor),
    requireNotSuspended: ({ suspension }) => requireNotSuspended(suspension, deps.clock.now()),
    sessionEnds: (hashes) => sessionEnds(deps, hashes),
    endedSessions: (since) => readEndedSessions(deps.db, since),
  }
}

async function requireForEverybody({ config, db, clock }: Deps, actor: Actor): Promise<void> {
  if (!mayActOnEverybody(actor.role, config.strictRoles)) {
    throw new DomainError('forbidden', 'Only a super user can do this')
  }
  const session = await readConfirmation(db, actor.sessionHash)
  if (session === undefined) throw signedOut()
  if (!session.hasSecondFactor || isConfirmed(session.confirmedAt, clock.now())) return
  const message = "Enter a code from your authenticator app to confirm it's you"
  throw new DomainError('confirmation_needed', message)
}

/** When each of the sessions ends if nothing more happens; those that are over have no entry. */
async function sessionEnds({ db }: Deps, sessionHashes: readonly string[]) {
  const rows = await readSessions(db, sessionHashes)
  return new Map(rows.map((row) => [row.sessionHash, endOf(row)]))
}

/** Reads a session, ends it when its time is over, and prolongs it when it is due. */
async function loadSession(
  deps: Deps,
  source: SessionSource,
  token: string,
  onRenewed: (cookieSeconds: number) => void,
): Promise<SignedIn | undefined> {
  const sessionHash = tokenHash(token)
  const session = await source.reads.enqueue(sessionHash)
  if (session === undefined) return undefined
  const now = deps.clock.now()
  if (endOf(session) <= now) {
    await isWritten(deps, deleteSession(deps.db, sessionHash))
    return undefined
  }
  let { expiresAt } = session
  const due = now.getTime() < source.renewAgainMillis ? undefined : renewal(session, now)
  if (due !== undefined) {
    if (await isWritten(deps, updateSession(deps.db, sessionHash, now, due))) {
      expiresAt = due
      onRenewed(cookieSeconds(session.kind, session.createdAt, now))
    } else source.renewAgainMillis = now.getTime() + renewPauseMillis
  }
  const { userId, role, user } = session
  // Told by our clock: a phone may be a day off.
  const suspension = isSuspended(user.suspension, now) ? user.suspension : null
  const endsAt = endOf({ ...session, expiresAt })
  return signedInAs({ userId, role, sessionHash }, endsAt, { ...user, suspension })
}

/** False where nothing can be written: whoever only reads is served all the same. */
async function isWritten({ log }: Deps, write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    log.warn({ err: error }, 'session not written')
    return false
  }
}
