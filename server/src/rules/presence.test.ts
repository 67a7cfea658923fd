// Whether the list of chatters bears out that somebody watches, at its edges.

import { describe, expect, it } from 'vitest'
import { isPresent, type Presence, requirePresence } from './watch-time.ts'

const now = new Date('2026-11-20T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)

/** Somebody whom a fresh list has lacked for long. */
const absent: Presence = {
  mode: 'require',
  listReadAt: ago(10),
  sessionStartedAt: ago(3600),
  seenAt: null,
}

describe('a viewer', () => {
  it('is absent when a fresh list has lacked them for long', () => {
    expect(isPresent(absent, now)).toBe(false)
    expect(isPresent({ ...absent, seenAt: ago(3600) }, now)).toBe(false)
    expect(() => requirePresence(absent, now)).toThrowError(
      expect.objectContaining({
        code: 'wrong_state',
        message: 'You are not in the chat of this stream, so watch time does not count',
      }),
    )
  })

  it.each(['off', 'observe'] as const)('is not judged with presence %s', (mode) => {
    expect(isPresent({ ...absent, mode }, now)).toBe(true)
    expect(() => requirePresence({ ...absent, mode }, now)).not.toThrow()
  })

  it.each<[string, Partial<Presence>, Partial<Presence>]>([
    ['the list was read', { listReadAt: ago(301) }, { listReadAt: ago(300) }],
    ['the session began', { sessionStartedAt: ago(300) }, { sessionStartedAt: ago(301) }],
    ['they were seen', { seenAt: ago(600) }, { seenAt: ago(601) }],
  ])('is judged by how long ago %s, to the second', (_, present, missing) => {
    expect(isPresent({ ...absent, ...present }, now)).toBe(true)
    expect(isPresent({ ...absent, ...missing }, now)).toBe(false)
  })

  it('is present while no list was ever read', () => {
    expect(isPresent({ ...absent, listReadAt: null }, now)).toBe(true)
  })
})
