import { describe, expect, it } from 'vitest'
import { wilsonRange } from './pack-economy.ts'

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
