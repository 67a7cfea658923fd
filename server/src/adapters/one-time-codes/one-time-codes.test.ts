// Codes of authenticator apps against the vectors of RFC 6238, and the codes for the day without.

import { describe, expect, it } from 'vitest'
import { timedCodes } from './one-time-codes.ts'

/** The SHA-1 secret of RFC 6238, appendix B: the text 12345678901234567890 in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const at = (seconds: number) => new Date(seconds * 1000)
const counting = {
  bytes: (count: number) => Buffer.from(Array.from({ length: count }, (_, i) => i)),
}

describe('a code of the app', () => {
  // The last six digits of the eight that the appendix lists.
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_111_111_111, '050471', 37_037_037],
    [1_234_567_890, '005924', 41_152_263],
    [2_000_000_000, '279037', 66_666_666],
    [20_000_000_000, '353130', 666_666_666],
  ])('at second %d is %s', (seconds, code, step) => {
    expect(timedCodes.readTypedCode(secret, code, at(seconds))).toEqual({ kind: 'step', step })
  })

  it('is taken one step early or late and no more, and says which step it is of', () => {
    const read = (seconds: number) => timedCodes.readTypedCode(secret, '081804', at(seconds))
    const own = { kind: 'step', step: 37_037_036 }
    const begin = 37_037_036 * 30
    expect(read(begin - 30)).toEqual(own)
    expect(read(begin + 59)).toEqual(own)
    expect(read(begin - 31)).toBeUndefined()
    expect(read(begin + 60)).toBeUndefined()
  })

  it('may be typed with spaces', () => {
    expect(timedCodes.readTypedCode(secret, ' 287 082 ', at(59))).toEqual({ kind: 'step', step: 1 })
  })

  it('says nothing when the secret is not known', () => {
    expect(timedCodes.readTypedCode(undefined, '287082', at(59))).toBeUndefined()
  })
})

describe('enrolment', () => {
  it('makes secrets of 160 bits', () => {
    expect(timedCodes.newSecret(counting)).toBe('AAAQEAYEAUDAOCAJBIFQYDIOB4IBCEQT')
  })

  it('gives apps everything they need in one address', () => {
    const url = new URL(timedCodes.enrolmentAddress(secret, 'Redpack', 'staff@example.test'))
    expect(url.protocol).toBe('otpauth:')
    expect(url.host).toBe('totp')
    expect(decodeURIComponent(url.pathname)).toBe('/Redpack:staff@example.test')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'Redpack',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})

describe('recovery codes', () => {
  it('are ten of sixteen letters and digits, four by four', () => {
    let last = 0
    const random = {
      bytes: (count: number) => {
        last += 1
        return Buffer.alloc(count, last)
      },
    }
    const codes = timedCodes.newRecoveryCodes(random)
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/)
    expect(timedCodes.newRecoveryCodes(counting)[0]).toBe('AAAQ-EAYE-AUDA-OCAJ')
  })

  it('are known however they are typed, and are not mistaken for codes of the app', () => {
    const hash = timedCodes.recoveryCodeHash('K7QF-2M4X-9TBC-HW3E')
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(timedCodes.recoveryCodeHash('k7qf 2m4x 9tbc hw3e')).toBe(hash)
    expect(timedCodes.recoveryCodeHash('k7qf 2m4x 9tbc hw3f')).not.toBe(hash)
    const read = (code: string) => timedCodes.readTypedCode(secret, code, at(59))
    expect(read('k7qf 2m4x 9tbc hw3e')).toEqual({ kind: 'recovery', hash })
    for (const almost of ['1287082', '28708', '287082x', 'x287082']) {
      expect(read(almost)).toMatchObject({ kind: 'recovery' })
    }
  })
})
