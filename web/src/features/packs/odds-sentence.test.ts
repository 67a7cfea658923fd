import type { OddsEntry, OddsResponse } from '@redpack/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  emptyPackChance,
  emptyPackHint,
  emptyPackPay,
  packsText,
  percentText,
  percentTexts,
  prizeHint,
  rewardText,
} from './odds-changes.ts'
import { sampleOddsEntry, sampleType } from './opening-samples.fixture.ts'

const entry = (chance: number, soldOut = false) =>
  sampleOddsEntry({ chance, soldOut, limited: soldOut })

function odds(entries: OddsEntry[], consolationRedCoin = 5): OddsResponse {
  const noPrizeChance = 1 - entries.reduce((sum, each) => sum + each.chance, 0)
  return { packTypeId: 1, tableHash: '', scaled: false, entries, noPrizeChance, consolationRedCoin }
}

describe('prizeHint', () => {
  it('says the real chance in packs', () => {
    expect(prizeHint(entry(0.01))).toBe('1 in 100 packs')
    expect(prizeHint(entry(0.03))).toBe('about 1 in 33 packs')
    expect(prizeHint(entry(1 / 1_000))).toBe('1 in 1,000 packs')
    expect(prizeHint(entry(0.75))).toBe('75 of 100 packs')
    expect(prizeHint(entry(1))).toBe('every pack')
    expect(prizeHint(entry(0))).toBe('Cannot be won at the moment.')
  })

  it('says what happens instead of a prize that is sold out', () => {
    expect(prizeHint(entry(0.1, true))).toBe('Its 10% chance counts as no prize.')
  })
})

describe('the packs that come with a prize', () => {
  it('have their name where it tells them apart, else their number', () => {
    const types = ['Gold', 'Lucky', 'Lucky'].map((name, id) => sampleType({ id, name }))
    const said = [0, 1, 9].map((rewardPackTypeId) =>
      rewardText({ ...entry(0.1), rewardPackTypeId, rewardPackQuantity: 1 }, types),
    )
    expect(said).toEqual(['1 pack of Gold', '1 pack of type 1', '1 pack of type 9'])
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

describe('what packs without a prize do', () => {
  it('is how many they are, and what they pay', () => {
    expect(emptyPackHint(0.99)).toBe('99 of 100 packs')
    expect(emptyPackHint(0)).toBe('Every pack wins a prize.')
    expect(emptyPackPay(odds([]))).toBe('pay 5 RedCoin instead')
    expect(emptyPackPay(odds([], 0))).toBe('win nothing')
  })
})

describe('a chance and what is left of it', () => {
  it('add up to 100% as they are read, the smaller one as it reads anywhere', () => {
    expect(percentTexts(0.000523456)).toEqual(['0.0523%', '99.9477%'])
    expect(percentTexts(1)).toEqual(['100%', '0%'])
    expect(percentTexts(1e-9)).toEqual(['less than 0.0001%', 'more than 99.9999%'])
    void fc.assert(
      fc.property(fc.double({ min: 1.1e-6, max: 0.5, noNaN: true }), (chance) => {
        const [text, rest] = percentTexts(chance)
        expect(text).toBe(percentText(chance))
        const millionths = (percent: string) => Math.round(Number.parseFloat(percent) * 1e6)
        expect(millionths(text) + millionths(rest)).toBe(100e6)
      }),
    )
  })
})
