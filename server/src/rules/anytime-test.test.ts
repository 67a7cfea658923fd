import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  alarmAt,
  type ChanceDraws,
  fairPerAlarm,
  isAlarm,
  logEvidence,
  meanChance,
  soundRange,
} from './anytime-test.ts'

const allowanceOf = (rank: number) => 2 / Math.exp(alarmAt(rank))

/** The chance of each number of hits in so many draws. */
function binomial(draws: number, chance: number): number[] {
  let shares = [1]
  for (let n = 0; n < draws; n += 1) {
    shares = Array.from(
      { length: n + 2 },
      (_, hits) => (shares[hits] ?? 0) * (1 - chance) + (shares[hits - 1] ?? 0) * chance,
    )
  }
  return shares
}

const chance = fc.oneof(
  fc.double({ min: 0.001, max: 0.999, noNaN: true }),
  fc.integer({ min: 1, max: 52 }).map((bits) => 2 ** -bits),
  fc.integer({ min: 1, max: 52 }).map((bits) => 1 - 2 ** -bits),
)
const tables = fc.array(
  fc
    .tuple(
      chance,
      fc.integer({ min: 1, max: 1_000_000_000 }),
      fc.double({ max: 1, min: 0, noNaN: true }),
    )
    .map(
      ([published, draws, share]): ChanceDraws => ({
        chance: published,
        draws,
        hits: Math.round(draws * share),
      }),
    ),
  { minLength: 1, maxLength: 4 },
)
const rank = fc.integer({ min: 1, max: 10_000 })

describe('the evidence', () => {
  it.each([1, -1] as const)('is 1 on the mean over all fair draws (side %d)', (side) => {
    let mean = 0
    for (const [few, fewShare] of binomial(6, 0.3).entries()) {
      for (const [many, manyShare] of binomial(40, 0.01).entries()) {
        const evidence = logEvidence(
          [
            { chance: 0.3, draws: 6, hits: few },
            { chance: 0.01, draws: 40, hits: many },
          ],
          side,
        )
        mean += fewShare * manyShare * Math.exp(evidence)
      }
    }
    expect(mean).toBeCloseTo(1, 10)
  })

  it('is none without draws, and none from draws that had to end as they did', () => {
    expect(logEvidence([], 1)).toBeCloseTo(0, 12)
    const certain = { chance: 1, draws: 1_000_000, hits: 1_000_000 }
    const impossible = { chance: 0, draws: 1_000_000, hits: 0 }
    expect(logEvidence([certain, impossible], -1)).toBeCloseTo(0, 12)
    expect(isAlarm([certain, impossible], 1)).toBe(false)
  })

  it('sees a prize that is next to impossible come, and does not miss it', () => {
    const rare = { chance: 2 ** -52, draws: 1_000_000_000 }
    expect(isAlarm([{ ...rare, hits: 0 }], 1)).toBe(false)
    expect(isAlarm([{ ...rare, draws: 10, hits: 3 }], 1)).toBe(true)
  })

  it('takes what a table rules out for a proof', () => {
    for (const [published, hits] of [
      [1, 9],
      [0, 1],
    ] as const) {
      const draws = [
        { chance: published, draws: 10, hits },
        { chance: 0.5, draws: 10, hits: 5 },
      ]
      expect(isAlarm(draws, 1_000_000)).toBe(true)
      const [only] = draws
      const { low, high } = soundRange([only!], 1_000_000)
      expect(published < low || published > high).toBe(true)
    }
  })
})

describe('the allowance', () => {
  it('is shared by all prizes that can ever come', () => {
    let spent = 0
    for (let count = 1; count <= 100_000; count += 1) {
      spent += allowanceOf(count)
      if (count === 20) expect(spent * fairPerAlarm).toBeCloseTo(1 / 2, 9)
    }
    expect(spent * fairPerAlarm).toBeGreaterThan(0.999)
    expect(spent * fairPerAlarm).toBeLessThan(1)
  })
})

describe('the range', () => {
  it('holds the published chance exactly when there is no alarm', () => {
    fc.assert(
      fc.property(tables, rank, (draws, place) => {
        const { low, high } = soundRange(draws, place)
        const published = meanChance(draws)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
        expect(low).toBeLessThanOrEqual(high)
        expect(isAlarm(draws, place)).toBe(published < low || published > high)
      }),
      { numRuns: 300 },
    )
  })

  it('ends where the test would turn if another constant chance were published', () => {
    const draws = { draws: 2_000, hits: 90 }
    const { low, high } = soundRange([{ chance: 0.05, ...draws }], 1)
    expect(low).toBeLessThan(0.045)
    expect(high).toBeGreaterThan(0.045)
    for (const [inside, outside] of [
      [low * 1.0001, low * 0.9999],
      [high * 0.9999, high * 1.0001],
    ] as const) {
      expect(isAlarm([{ chance: inside, ...draws }], 1)).toBe(false)
      expect(isAlarm([{ chance: outside, ...draws }], 1)).toBe(true)
    }
  })

  it('is everything at first, and narrows as draws go on', () => {
    expect(soundRange([{ chance: 0.1, draws: 1, hits: 0 }], 1)).toEqual({ low: 0, high: 1 })
    const widths = [1_000, 10_000, 100_000, 1_000_000].map((draws) => {
      const { low, high } = soundRange([{ chance: 0.1, draws, hits: draws / 10 }], 1)
      return high - low
    })
    expect(widths).toEqual(widths.toSorted((left, right) => right - left))
    expect(widths[3]).toBeLessThan(0.005)
  })

  it('holds the real mean, when all odds are off by the same factor', () => {
    const off = (published: number) => 1 / (1 + (1 - published) / published / 2)
    const draws = [0.1, 0.01].map((published) => ({
      chance: published,
      draws: 100_000,
      hits: Math.round(100_000 * off(published)),
    }))
    const { low, high } = soundRange(draws, 1)
    const mean = (off(0.1) + off(0.01)) / 2
    expect(low).toBeLessThan(mean)
    expect(high).toBeGreaterThan(mean)
    expect(low).toBeGreaterThan(0.055)
  })
})
