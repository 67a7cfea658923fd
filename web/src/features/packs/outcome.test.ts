import type { OpeningResult } from '@redpack/contract'
import { describe, expect, it } from 'vitest'
import { losing, winning } from './opening-samples.fixture.ts'
import { completionText, outcomeKind, prizeName, spokenResult, totalsOf } from './rarity.ts'

const hoodie = winning({ name: 'Hoodie', claimId: 'PR-7KQ2MX4A' })
const chest = winning({ name: 'Chest', claimId: 'PR-9', redCoin: 500 })

describe('an outcome', () => {
  it('is RedCoin, a RedCoin prize or a prize', () => {
    expect([losing(5), chest, hoodie].map(outcomeKind)).toEqual([
      'redcoin',
      'redcoin-prize',
      'prize',
    ])
  })

  it('calls a prize without a name a Mystery Prize', () => {
    expect(prizeName(winning({ name: '' }))).toBe('Mystery Prize')
    expect(prizeName({ ...hoodie, prize: null })).toBe('Mystery Prize')
  })

  it('adds up prizes and RedCoin', () => {
    expect(totalsOf([losing(5), hoodie, chest, losing(5)])).toMatchObject({
      opened: 4,
      prizesWon: 2,
      redCoin: 510,
      wins: [hoodie, chest],
    })
  })
})

describe('completionText', () => {
  it("is 'Opened N pack(s)' without a prize", () => {
    expect(completionText([losing(5), losing(5)])).toBe('Opened 2 pack(s)')
  })

  it("adds ' - Won M prize(s)!' for results with a prizeId", () => {
    expect(completionText([hoodie, losing(5), chest])).toBe('Opened 3 pack(s) - Won 2 prize(s)!')
    const withoutId: OpeningResult = { ...hoodie, prizeId: null }
    expect(completionText([withoutId])).toBe('Opened 1 pack(s)')
  })
})

describe('spokenResult', () => {
  it('says the place, the prize and its Claim ID', () => {
    expect(spokenResult(hoodie, 2, 10)).toBe(
      'Result 3 of 10. Prize won: Hoodie. Claim ID PR-7KQ2MX4A.',
    )
    expect(spokenResult(chest, 0, 1)).toBe(
      'Result 1 of 1. Prize won: Chest. 500 RedCoin. Claim ID PR-9.',
    )
  })

  it('says what a pack without a prize paid', () => {
    expect(spokenResult(losing(5), 3, 10)).toBe('Result 4 of 10. No prize. 5 RedCoin earned.')
  })
})
