// How long stock lasts, and that a simulation draws as the product does.

import { drawPacks, rollRange, thresholdsOf } from '@redpack/fair/draw'
import { describe, expect, it } from 'vitest'
import { stockOutlook } from './pack-economy.ts'
import { simulateOpenings } from './simulation.ts'

describe('stockOutlook', () => {
  it('divides the stock by the wins that the last days make likely', () => {
    const packs = [
      { chance: 0.1, openings: 70 },
      { chance: 0.5, openings: 14 },
    ]
    expect(stockOutlook({ stock: 20, packs, days: 7 })).toEqual({
      openingsPerDay: 12,
      winsPerDay: 2,
      openingsLeft: 120,
      daysLeft: 10,
    })
  })

  it('knows openings but no day while nobody opens, and neither without a pack', () => {
    const packs = [
      { chance: 0.1, openings: 0 },
      { chance: 0.25, openings: 0 },
    ]
    expect(stockOutlook({ stock: 3, packs, days: 7 })).toMatchObject({
      openingsLeft: 12,
      daysLeft: null,
    })
    expect(stockOutlook({ stock: 3, packs: [], days: 7 })).toEqual({
      openingsPerDay: 0,
      winsPerDay: 0,
      openingsLeft: null,
      daysLeft: null,
    })
  })
})

describe('simulateOpenings', () => {
  const thresholds = thresholdsOf(
    [1, 2].map((prizeId) => ({
      prizeId,
      name: 'x',
      winFrequency: 1,
      totalPacks: 4,
      redCoinAmount: 0,
    })),
  )
  const rolls = [0, 0.3, 0.1, 0.9, 0.2, 0.26].map((share) => Math.floor(rollRange * share))

  it('counts what the draw of the product gives for the same rolls', () => {
    const at = [...rolls]
    const counts = simulateOpenings(
      { thresholds, stock: [2, null], openings: rolls.length },
      () => at.shift() ?? 0,
    )
    expect(counts).toEqual({
      entries: [
        { wins: 2, soldOut: 1, soldOutAtOpening: 3 },
        { wins: 2, soldOut: 0, soldOutAtOpening: null },
      ],
      losingPacks: 2,
    })
    const { drawn } = drawPacks(thresholds, [2, undefined], rolls)
    expect(drawn.filter(({ won }) => won === 0)).toHaveLength(2)
    expect(drawn.filter(({ soldOut }) => soldOut === 0)).toHaveLength(1)
    expect(drawn.filter(({ won }) => won === undefined)).toHaveLength(2)
  })
})
