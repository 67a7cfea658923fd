// Which texts are wallet addresses, and what is said about the others.

import { describe, expect, it } from 'vitest'
import { otherAddress, sampleAddress } from './sample-profile.fixture.ts'
import { isUnlikelyAddress, shortAddress, walletHint, walletProblem } from './wallet-address.ts'

describe('a wallet address', () => {
  it('is likely when it stands for 32 bytes, and then there is nothing to say of it', () => {
    const likely = [sampleAddress, otherAddress, `  ${sampleAddress} `]
    const nobodys = ['2'.repeat(32), 'z'.repeat(44), '1'.repeat(32)]
    expect(likely.map(walletHint)).toEqual([undefined, undefined, undefined])
    expect([...likely, ...nobodys].map(walletProblem)).toEqual(Array(6).fill(undefined))
    expect([sampleAddress, otherAddress].map(isUnlikelyAddress)).toEqual([false, false])
    expect(nobodys.map(isUnlikelyAddress)).toEqual([true, true, true])
  })

  it.each([
    ['7EcDhSYGxX0', 'The digit 0 cannot be part of an address (character 11).'],
    ['7lc', 'The small letter l cannot be part of an address (character 2).'],
    ['7cI', 'The capital letter I cannot be part of an address (character 3).'],
    ['z'.repeat(45), 'This has 45 characters; an address has 32 to 44.'],
    ['7Ec-DhS', '"-" cannot be part of an address (character 4).'],
    ['7EcDh', 'This has 5 characters; an address has 32 to 44.'],
  ])('names in %j the wrong character and its place, or else the length', (text, hint) => {
    expect(walletHint(text)).toBe(hint)
  })

  it('is shortened to its two ends', () => {
    expect(shortAddress(sampleAddress)).toBe('7EcDh…CFLtV')
    expect(shortAddress('7EcDh')).toBe('7EcDh')
  })
})
