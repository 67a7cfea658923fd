// Openings that nobody has, against rolls that are known.

import { rollRange, thresholdsOf } from '@redpack/fair/draw'
import { describe, expect, it } from 'vitest'
import { simulateOpenings } from './simulation.ts'

const share = { winFrequency: 1, totalPacks: 4 }
const thresholds = thresholdsOf([share, share])

/** Rolls in the middle of quarters of the range: of entry 0, 1, or of none. */
function simulate(stock: readonly (number | null)[], quarters: readonly number[]) {
  const left = [...quarters]
  return simulateOpenings({ thresholds, stock, openings: quarters.length }, () => {
    return (rollRange / 8) * (2 * (left.shift() ?? 0) + 1)
  })
}

describe('a simulation', () => {
  it('counts wins, losing packs, and when a stock ended', () => {
    expect(simulate([null, 2], [1, 0, 2, 1, 1, 3, 0])).toEqual({
      entries: [
        { wins: 2, soldOut: 0, soldOutAtOpening: null },
        { wins: 2, soldOut: 1, soldOutAtOpening: 4 },
      ],
      losingPacks: 3,
    })
  })

  it('tells no end of a stock that lasts', () => {
    expect(simulate([3, 0], [0, 0, 1])).toEqual({
      entries: [
        { wins: 2, soldOut: 0, soldOutAtOpening: null },
        { wins: 0, soldOut: 1, soldOutAtOpening: null },
      ],
      losingPacks: 1,
    })
  })
})
