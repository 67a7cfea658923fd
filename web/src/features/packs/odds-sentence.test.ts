import type { OddsEntry, OddsResponse } from '@redpack/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  emptyPackChance,
  emptyPackSentence,
  packsText,
  percentText,
  prizeSentence,
} from './odds-sentence.ts'

function entry(chance: number, soldOut = false): OddsEntry {
  return {
    prizeId: 1,
    name: 'Hoodie',
    winFrequency: 1,
    totalPacks: 100,
    chance,
    soldOut,
    redCoinAmount: 0,
    rewardPackTypeId: null,
    rewardPackQuantity: 0,
    limited: soldOut,
  }
}

function odds(entries: OddsEntry[], consolationRedCoin = 5): OddsResponse {
  const noPrizeChance = 1 - entries.reduce((sum, each) => sum + each.chance, 0)
  return { packTypeId: 1, tableHash: '', scaled: false, entries, noPrizeChance, consolationRedCoin }
}

describe('prizeSentence', () => {
  it('says the real chance in packs and in percent', () => {
    expect(prizeSentence(entry(0.01))).toBe('1 in 100 packs (1%) wins it.')
    expect(prizeSentence(entry(0.03))).toBe('About 1 in 33 packs (3%) wins it.')
    expect(prizeSentence(entry(1 / 1_000))).toBe('1 in 1,000 packs (0.1%) wins it.')
    expect(prizeSentence(entry(0.75))).toBe('75 of 100 packs (75%) win it.')
    expect(prizeSentence(entry(1))).toBe('Every pack (100%) wins it.')
  })

  it('marks a sold-out prize and says what happens instead', () => {
    expect(prizeSentence(entry(0.1, true))).toBe(
      '1 in 10 packs (10%) would win it, but it is sold out: such a pack counts as one without a prize.',
    )
  })
})

describe('a chance in words', () => {
  it('is never rounded to impossible or certain', () => {
    void fc.assert(
      fc.property(fc.double({ min: 1e-15, max: 1 - 1e-12, noNaN: true }), (chance) => {
        expect(percentText(chance)).not.toMatch(/^0%|^100%/)
        expect(packsText(chance)).not.toBe('every pack')
        expect(packsText(chance)).not.toMatch(/\b(0|100) of 100/)
      }),
    )
  })
})

describe('emptyPackChance', () => {
  it('counts the share of a sold-out prize as no prize', () => {
    expect(emptyPackChance(odds([entry(0.1), entry(0.2, true)]))).toBe(0.9)
  })

  it('agrees with the chances next to it without a rest from rounding', () => {
    expect(emptyPackChance(odds([entry(0.7), entry(0.2), entry(0.1)]))).toBe(0)
  })
})

describe('emptyPackSentence', () => {
  it('names the consolation', () => {
    expect(emptyPackSentence(odds([entry(0.01)]))).toBe(
      '99 of 100 packs (99%) hold no prize and pay 5 RedCoin instead.',
    )
    expect(emptyPackSentence(odds([entry(0.5)], 0))).toBe(
      '1 in 2 packs (50%) holds no prize and pays nothing.',
    )
    expect(emptyPackSentence(odds([entry(1)]))).toBe('Every pack wins a prize.')
    expect(emptyPackSentence(odds([entry(0.5, true)]))).toBe(
      'Right now no pack wins a prize; each one pays 5 RedCoin.',
    )
  })
})
