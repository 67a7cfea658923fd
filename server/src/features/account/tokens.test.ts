// What makes a token hard to guess, and what of it may be stored.

import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../test/seeded-random.ts'
import { newToken, tokenHash } from './tokens.ts'

describe('tokens', () => {
  it('are made of 32 random bytes, written so that a cookie carries them', () => {
    const asked: number[] = []
    const random = {
      ...seededRandom(),
      bytes: (count: number) => {
        asked.push(count)
        return Buffer.alloc(count, 0xfb)
      },
    }
    expect(newToken(random)).toBe(`${'-_v7'.repeat(10)}-_s`)
    expect(asked).toEqual([32])
  })

  it('are stored as their SHA-256', () => {
    // The test vector of FIPS 180-2 for "abc".
    expect(tokenHash('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
})
