// Which texts are wallet addresses, and what is said about the others.

import { describe, expect, it } from 'vitest'
import { otherAddress, sampleAddress } from './sample-profile.fixture.ts'
import {
  isUnlikelyAddress,
  shortAddress,
  walletHint,
  walletProblem,
  walletProblems,
} from './wallet-address.ts'

describe('a wallet address', () => {
  it.each([sampleAddress, otherAddress, `  ${sampleAddress} `])('takes %j', (address) => {
    expect(walletProblem(address)).toBeUndefined()
    expect(walletHint(address)).toBeUndefined()
  })

  it.each(['', '   '])('asks for one when the text is %j', (blank) => {
    expect(walletProblem(blank)).toBe('blank')
    expect(walletHint(blank)).toBeUndefined()
    expect(walletProblems.blank).toEqual({
      title: 'Invalid Address',
      description: 'Please enter a valid Solana wallet address.',
    })
  })

  it.each([
    '2'.repeat(31),
    'z'.repeat(45),
    `0${sampleAddress.slice(1)}`,
    `O${sampleAddress.slice(1)}`,
    `I${sampleAddress.slice(1)}`,
    `l${sampleAddress.slice(1)}`,
  ])('refuses %j: not 32 to 44 base58 characters', (text) => {
    expect(walletProblem(text)).toBe('format')
    expect(walletProblems.format).toEqual({
      title: 'Invalid Format',
      description: 'Please enter a valid Solana wallet address format.',
    })
  })

  it.each(['2'.repeat(32), 'z'.repeat(44), '1'.repeat(32)])(
    "takes %j, which has the form of one and is nobody's",
    (text) => {
      expect(walletProblem(text)).toBeUndefined()
      expect(isUnlikelyAddress(text)).toBe(true)
    },
  )

  it('is likely when it stands for 32 bytes', () => {
    expect([sampleAddress, otherAddress].map(isUnlikelyAddress)).toEqual([false, false])
  })

  it.each([
    ['7EcDhSYGxX0', 'The digit 0 cannot be part of an address (character 11).'],
    ['7lc', 'The small letter l cannot be part of an address (character 2).'],
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
