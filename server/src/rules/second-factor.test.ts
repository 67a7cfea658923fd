// How long a code that was given counts, to the millisecond.

import { describe, expect, it } from 'vitest'
import { Unavailable } from '../shared/domain-error.ts'
import { confirmedUntil, isConfirmed, secretContext, secretUnreadable } from './second-factor.ts'

const given = new Date('2026-03-01T12:00:00.000Z')
const after = (millis: number) => new Date(given.getTime() + millis)

describe('a confirmation', () => {
  it('counts from the moment of the code until five minutes have passed', () => {
    expect(confirmedUntil(given)).toEqual(new Date('2026-03-01T12:05:00.000Z'))
    expect(isConfirmed(given, given)).toBe(true)
    expect(isConfirmed(given, after(299_999))).toBe(true)
    expect(isConfirmed(given, after(300_000))).toBe(false)
  })

  it('does not count when there was none, or when it lies in the future', () => {
    expect(isConfirmed(null, given)).toBe(false)
    expect(isConfirmed(given, after(-1))).toBe(false)
  })
})

describe('the secret', () => {
  it('is bound to its own row', () => {
    expect(secretContext(7)).toBe('second_factors|secret|7')
    expect(secretContext(7)).not.toBe(secretContext(8))
  })

  it('that cannot be opened asks for a recovery code or the key', () => {
    const failure = secretUnreadable()
    expect(failure).toBeInstanceOf(Unavailable)
    expect(failure.message).toMatch(/ENCRYPTION_KEY.*recovery code.*the key that sealed it/)
  })
})
