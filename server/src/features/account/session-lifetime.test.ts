// When a session ends, what prolongs it, and how long the browser keeps its cookie.

import { describe, expect, it } from 'vitest'
import type { Role } from '../../rules/roles.ts'
import { cookieSeconds, endOf, expiryAfter, renewal, sessionKind } from './session-lifetime.ts'
import type { SessionKind } from './tables.ts'

const start = new Date('2026-03-01T00:00:00.000Z')
const hour = 3_600
const day = 24 * hour
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000)

function session(kind: SessionKind, role: Role, lastSeenAt = start) {
  const expiresAt = expiryAfter(kind, start, lastSeenAt)
  return { kind, role, createdAt: start, lastSeenAt, expiresAt }
}

describe('the kind of a session', () => {
  it('follows from the role', () => {
    expect(sessionKind('user')).toBe('player')
    expect(sessionKind('admin')).toBe('staff')
    expect(sessionKind('super_user')).toBe('staff')
  })
})

describe('the end of a session', () => {
  it('lies 30 days after a player was last seen, however often that is', () => {
    expect(expiryAfter('player', start, start)).toEqual(after(30 * day))
    expect(expiryAfter('player', start, after(400 * day))).toEqual(after(430 * day))
  })

  it('lies twelve hours after staff signed in, however busy they are', () => {
    expect(expiryAfter('staff', start, start)).toEqual(after(12 * hour))
    expect(expiryAfter('staff', start, after(11 * hour))).toEqual(after(12 * hour))
  })

  it('lies an hour after the local account was last seen, and at most twelve in all', () => {
    expect(expiryAfter('local', start, after(5 * hour))).toEqual(after(6 * hour))
    expect(expiryAfter('local', start, after(11.5 * hour))).toEqual(after(12 * hour))
  })

  it('comes sooner for a player who became staff, and never later', () => {
    expect(endOf(session('player', 'user'))).toEqual(after(30 * day))
    expect(endOf(session('player', 'admin'))).toEqual(after(12 * hour))
    expect(endOf(session('local', 'super_user'))).toEqual(after(hour))
  })
})

describe('being seen', () => {
  it('prolongs the session of a player once an hour', () => {
    const player = session('player', 'user')
    expect(renewal(player, after(hour - 1))).toBeUndefined()
    expect(renewal(player, after(hour))).toEqual(after(hour + 30 * day))
  })

  it('prolongs that of the local account once a minute', () => {
    const local = session('local', 'super_user')
    expect(renewal(local, after(59))).toBeUndefined()
    expect(renewal(local, after(60))).toEqual(after(60 + hour))
  })

  it('prolongs no session of staff', () => {
    expect(renewal(session('staff', 'admin'), after(11 * hour))).toBeUndefined()
  })
})

describe('the cookie', () => {
  it('is kept to the last moment at which the session can live', () => {
    expect(cookieSeconds('player', start, after(5 * day))).toBe(30 * day)
    expect(cookieSeconds('staff', start, after(2 * hour))).toBe(10 * hour)
    expect(cookieSeconds('local', start, after(2 * hour))).toBe(10 * hour)
  })

  it('is given whole seconds, and none when it is over', () => {
    expect(cookieSeconds('staff', start, after(0.5))).toBe(12 * hour - 1)
    expect(cookieSeconds('staff', start, after(13 * hour))).toBe(0)
  })
})
