// Opens a session for somebody who has just proved who they are, renews it and ends it.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { Role } from '../../rules/roles.ts'
import { cookieSeconds, expiryAfter, sessionKind } from './session-lifetime.ts'
import {
  deleteExpiredSessions,
  deleteSession,
  endEverySession,
  insertSession,
  type SessionKind,
  type SessionRow,
} from './tables.ts'
import { newToken, tokenHash } from './tokens.ts'

export interface OpenedSession {
  /** Goes into the cookie and nowhere else. */
  readonly token: string
  readonly maxAgeSeconds: number
  readonly userId: number
  /** Whose session the browser had until now, ended by this one. */
  readonly replacedUserId: number | undefined
}

/**
 * Always makes a new token, so a token planted in the browser beforehand is worth nothing. The
 * session that the browser had until now ends.
 */
export async function openSession(
  deps: Deps,
  tx: Queryable,
  who: { readonly userId: number; readonly kind: SessionKind; readonly pairMark?: string },
  replacedToken: string | undefined,
): Promise<OpenedSession> {
  const now = deps.clock.now()
  const replacedUserId = await removeSession(tx, replacedToken)
  await deleteExpiredSessions(tx, now)
  const added = await addSession(deps, tx, { pairMark: null, ...who, createdAt: now })
  return { ...added, userId: who.userId, replacedUserId }
}

/** Adds a session that is as old as `createdAt` says, and is seen now. */
async function addSession(
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
  tx: Queryable,
  session: Omit<SessionRow, 'tokenHash' | 'expiresAt'>,
): Promise<RenewedSession> {
  const { kind, createdAt } = session
  const now = clock.now()
  const token = newToken(random)
  const expiresAt = expiryAfter(kind, createdAt, now)
  await insertSession(tx, { ...session, tokenHash: tokenHash(token), expiresAt })
  return { token, maxAgeSeconds: cookieSeconds(kind, createdAt, now) }
}

/** Answers whose session it was; undefined when there was none. */
async function removeSession(db: Queryable, token: string | undefined) {
  return token ? deleteSession(db, tokenHash(token)) : undefined
}

/** Tells the rest of the product about a session, once its transaction is committed. */
export function announceSession(deps: Deps, { userId, replacedUserId }: OpenedSession): void {
  announceEnd(deps, replacedUserId)
  deps.events.publish({ type: 'user_changed', userId })
}

function announceEnd(deps: Deps, userId: number | undefined): void {
  if (userId !== undefined) deps.events.publish({ type: 'sessions_ended', userId })
}

export type RenewedSession = Pick<OpenedSession, 'token' | 'maxAgeSeconds'>

/**
 * Opens a session in place of one that was opened at `createdAt` and has just ended. It is not
 * younger than that one was, so that nobody stays signed in for ever by changing their role.
 */
export function renewSession(
  deps: Pick<Deps, 'clock' | 'random'>,
  tx: Queryable,
  { userId, role, createdAt }: { userId: number; role: Role; createdAt: Date },
): Promise<RenewedSession> {
  return addSession(deps, tx, { userId, kind: sessionKind(role), createdAt, pairMark: null })
}

/** Ends the session of this token on every process; does nothing when there is none. */
export async function endSession(deps: Deps, token: string | undefined): Promise<void> {
  announceEnd(deps, await removeSession(deps.db, token))
}

/** Ends every session of a user on every process; their devices show no news any more. */
export async function endEverywhere(deps: Deps, userId: number): Promise<void> {
  await deps.db.transaction((tx) => endEverySession(tx, userId))
  deps.events.publish({ type: 'sessions_ended', userId })
}
