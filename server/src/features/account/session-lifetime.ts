// How long a session lives: players 30 days since last seen, staff 12 hours, the local account 1
// hour idle.

import { isStaff, type Role } from '../../rules/roles.ts'
import type { LiveSession } from './session-tables.ts'
import type { SessionKind } from './tables.ts'

const hourSeconds = 3_600
const daySeconds = 24 * hourSeconds
const staffSecondsMax = 12 * hourSeconds

interface Lifetime {
  /** Ends this long after it was last seen. */
  readonly idleSeconds: number
  /** Ends this long after the sign-in, however busy. */
  readonly totalSeconds: number
  /** Being seen is written at most this often; undefined where it prolongs nothing. */
  readonly renewEverySeconds: number | undefined
}

const lifetimes: Readonly<Record<SessionKind, Lifetime>> = {
  player: {
    idleSeconds: 30 * daySeconds,
    totalSeconds: Number.POSITIVE_INFINITY,
    renewEverySeconds: hourSeconds,
  },
  staff: {
    idleSeconds: staffSecondsMax,
    totalSeconds: staffSecondsMax,
    renewEverySeconds: undefined,
  },
  local: { idleSeconds: hourSeconds, totalSeconds: staffSecondsMax, renewEverySeconds: 60 },
}

type SessionTimes = Omit<LiveSession, 'sessionHash'>

/** The kind of session a provider sign-in opens for somebody of this role. */
export function sessionKind(role: Role): SessionKind {
  return isStaff(role) ? 'staff' : 'player'
}

/** When a session that is seen now ends, if it is not seen again. */
export function expiryAfter(kind: SessionKind, createdAt: Date, seenAt: Date): Date {
  const { idleSeconds, totalSeconds } = lifetimes[kind]
  const idleEnd = seenAt.getTime() + idleSeconds * 1000
  return new Date(Math.min(idleEnd, createdAt.getTime() + totalSeconds * 1000))
}

/** Seconds a browser keeps the cookie: to the last moment at which the session can still live. */
export function cookieSeconds(kind: SessionKind, createdAt: Date, now: Date): number {
  const { idleSeconds, totalSeconds } = lifetimes[kind]
  const total = Number.isFinite(totalSeconds)
    ? (createdAt.getTime() - now.getTime()) / 1000 + totalSeconds
    : idleSeconds
  return Math.max(0, Math.floor(total))
}

/**
 * When the session ends. One that a player opened before becoming staff lives as short as staff's.
 */
export function endOf(session: SessionTimes): Date {
  if (!isStaff(session.role)) return session.expiresAt
  const staffEnd = session.createdAt.getTime() + staffSecondsMax * 1000
  return new Date(Math.min(session.expiresAt.getTime(), staffEnd))
}

/** The new expiry when being seen now is worth writing down, else undefined. */
export function renewal(session: SessionTimes, now: Date): Date | undefined {
  const { renewEverySeconds } = lifetimes[session.kind]
  if (renewEverySeconds === undefined) return undefined
  const unseenSeconds = (now.getTime() - session.lastSeenAt.getTime()) / 1000
  if (unseenSeconds < renewEverySeconds) return undefined
  return expiryAfter(session.kind, session.createdAt, now)
}
