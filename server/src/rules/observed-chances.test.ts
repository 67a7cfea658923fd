import { describe, expect, it } from 'vitest'
import { observedPrizes, wilsonRange } from './observed-chances.ts'

const entry = (
  prizeId: number,
  winFrequency: number,
  totalPacks: number,
  name = `P${prizeId}`,
) => ({
  prizeId,
  name,
  winFrequency,
  totalPacks,
  redCoinAmount: 0,
})

describe('the 99 % range', () => {
  it('ends where the share would lie 2.5758 standard deviations off', () => {
    for (const [hits, draws] of [
      [10, 100],
      [1, 3],
      [999, 1000],
      [3, 5_000_000],
    ] as const) {
      for (const chance of Object.values(wilsonRange(hits, draws))) {
        const deviation = Math.sqrt((chance * (1 - chance)) / draws)
        expect(Math.abs(hits / draws - chance) / deviation).toBeCloseTo(2.5758293, 5)
      }
    }
  })

  it('touches 0 and 1 exactly at the ends, and never leaves them', () => {
    expect(wilsonRange(0, 50).low).toBe(0)
    expect(wilsonRange(50, 50).high).toBe(1)
    expect(wilsonRange(0, 1).high).toBeLessThan(1)
    for (const hits of [0, 1, 500, 999, 1000]) {
      const { low, high } = wilsonRange(hits, 1000)
      expect(low).toBeLessThanOrEqual(hits / 1000)
      expect(high).toBeGreaterThanOrEqual(hits / 1000)
    }
  })
})

describe('published and observed', () => {
  it('averages the published chance over the draws of each table, under the newest name', () => {
    const [prize] = observedPrizes([
      {
        entries: [entry(4, 1, 10, 'Old')],
        counts: [
          [0, 90, 0],
          [4, 8, 2],
        ],
      },
      {
        entries: [entry(4, 1, 2, 'New')],
        counts: [
          [0, 160, 0],
          [4, 140, 0],
        ],
      },
    ])
    expect(prize).toMatchObject({
      prizeId: 4,
      name: 'New',
      publishedChance: (100 * 0.1 + 300 * 0.5) / 400,
      draws: 400,
      observedWins: 148,
      soldOutDraws: 2,
      isOutside: false,
    })
  })

  it('counts only draws of tables that held the prize, and shows one never won', () => {
    const prizes = observedPrizes([
      {
        entries: [entry(1, 1, 2)],
        counts: [
          [1, 50, 0],
          [0, 50, 0],
        ],
      },
      {
        entries: [entry(1, 1, 2), entry(2, 1, 1000)],
        counts: [
          [1, 5, 0],
          [0, 5, 0],
        ],
      },
    ])
    expect(
      prizes.map(({ prizeId, draws, observedWins }) => [prizeId, draws, observedWins]),
    ).toEqual([
      [1, 110, 55],
      [2, 10, 0],
    ])
  })

  it('takes a sold-out draw for a hit', () => {
    const counts = [
      [0, 500, 0],
      [1, 1, 499],
    ] as const
    expect(observedPrizes([{ entries: [entry(1, 1, 2)], counts }])[0]!.isOutside).toBe(false)
  })

  it('says when the two part, in both directions', () => {
    const of = (wins: number) =>
      observedPrizes([
        {
          entries: [entry(1, 1, 10)],
          counts: [
            [0, 1000 - wins, 0],
            [1, wins, 0],
          ],
        },
      ])
    expect(of(100)[0]!.isOutside).toBe(false)
    expect(of(60)[0]!.isOutside).toBe(true)
    expect(of(140)[0]!.isOutside).toBe(true)
  })
})
