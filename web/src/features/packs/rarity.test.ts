// Rarity follows the published chances, and orders the cards of a fan.

import { describe, expect, it } from 'vitest'
import { losing, winning } from './opening-samples.fixture.ts'
import { chancesOf, rarityOf, worstToBest } from './rarity.ts'

const chances = new Map([
  [1, 0.25],
  [2, 0.02],
  [3, 0.005],
  [4, 0.0001],
])

describe('the rarity of a result', () => {
  it('grows as the published chance falls', () => {
    expect([1, 2, 3, 4].map((id) => rarityOf(winning({ id }), chances))).toEqual([0, 1, 2, 3])
  })

  it('is none without a prize, and goes by the kind without a chance', () => {
    expect(rarityOf(losing(), chances)).toBe(0)
    expect(rarityOf(winning({ id: 99, redCoin: 50 }), chancesOf(undefined))).toBe(1)
    expect(rarityOf(winning({ id: 99 }), chancesOf(undefined))).toBe(2)
  })
})

describe('the order of a fan', () => {
  it('puts the best last and loses none', () => {
    const drawn = [winning({ id: 4 }), losing(9), winning({ id: 1 }), losing(2), winning({ id: 3 })]
    const ordered = worstToBest(drawn, chances)
    expect(ordered.map((result) => result.prizeId ?? result.redCoinEarned)).toEqual([2, 9, 1, 3, 4])
  })
})
