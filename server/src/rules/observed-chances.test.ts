import { rollRange, thresholdsOf } from '@redpack/fair/draw'
import { describe, expect, it } from 'vitest'
import { observedPackTypes, type TableDraws } from './observed-chances.ts'
import { wilsonRange } from './pack-economy.ts'

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

/** What came of the draws of a table whose only prize is number 1. */
const drawn = (none: number, wins: number, soldOut = 0): TableDraws['counts'] => [
  [0, none, 0],
  [1, wins, soldOut],
]

/** The prizes of one pack type. */
const observedPrizes = (tables: readonly Omit<TableDraws, 'packTypeId'>[]) =>
  observedPackTypes(tables.map((table) => ({ ...table, packTypeId: 1 })))[0]!.prizes

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
      // The exact share of the rolls that draw it: a tenth of 2^52, rounded down.
      publishedChance: (100 * (thresholdsOf([entry(4, 1, 10)])[0]! / rollRange) + 300 * 0.5) / 400,
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
        counts: drawn(50, 50),
      },
      {
        entries: [entry(1, 1, 2), entry(2, 1, 1000)],
        counts: drawn(5, 5),
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
    const table = { entries: [entry(1, 1, 2)], counts: drawn(500, 1, 499) }
    expect(observedPrizes([table])[0]!.isOutside).toBe(false)
  })

  it('says when the two part, in both directions', () => {
    const of = (wins: number) =>
      observedPrizes([{ entries: [entry(1, 1, 10)], counts: drawn(1000 - wins, wins) }])
    expect(of(100)[0]!.isOutside).toBe(false)
    expect(of(50)[0]!.isOutside).toBe(true)
    expect(of(160)[0]!.isOutside).toBe(true)
    expect(of(50)[0]!.high).toBeLessThan(0.1)
    expect(of(160)[0]!.low).toBeGreaterThan(0.1)
  })

  it('does not cry wolf after three openings, as the first range did', () => {
    const [prize] = observedPrizes([{ entries: [entry(1, 1, 4)], counts: [[1, 3, 0]] }])
    expect(wilsonRange(3, 3).low).toBeGreaterThan(0.25)
    expect(prize).toMatchObject({ draws: 3, observedWins: 3, isOutside: false })
    expect(prize!.low).toBeLessThan(0.25)
  })

  it('takes the chances of a scaled table as they are after scaling', () => {
    const prizes = observedPrizes([
      {
        entries: [entry(1, 1, 1), entry(2, 1, 1), entry(3, 2, 1)],
        counts: [
          [1, 340, 0],
          [2, 320, 0],
          [3, 340, 0],
        ],
      },
    ])
    const [first, second, third] = prizes.map(({ publishedChance }) => publishedChance)
    expect(first! + second! + third!).toBe(1)
    expect(Math.abs(first! - 1 / 3)).toBeLessThan(2 ** -51)
    expect(prizes.map(({ isOutside }) => isOutside)).toEqual([false, false, false])
  })
})

describe('the correction for the number of prizes', () => {
  const draws = (wins: number): Omit<TableDraws, 'packTypeId'> => ({
    entries: [entry(1, 1, 10)],
    counts: drawn(1000 - wins, wins),
  })
  /** Other pack types, each with a prize of its own and no draws yet. */
  const others = (count: number): TableDraws[] =>
    Array.from({ length: count }, (_, index) => ({
      packTypeId: 100 + index,
      entries: [entry(1, 1, 2)],
      counts: [],
    }))
  const isOutside = (tables: readonly TableDraws[]) =>
    observedPackTypes(tables)[0]!.prizes[0]!.isOutside

  it('asks for more evidence of a prize before which many came, drawn or not', () => {
    const table = { ...draws(150), packTypeId: 1 }
    expect(isOutside([table])).toBe(true)
    expect(isOutside([...others(100), table])).toBe(false)
  })

  it('is not moved by prizes that come later', () => {
    expect(isOutside([{ ...draws(150), packTypeId: 1 }, ...others(100)])).toBe(true)
  })

  it('counts a prize once in each pack type, at its first table', () => {
    const edited = Array.from({ length: 100 }, (_, index) => ({
      packTypeId: 9,
      entries: [entry(1, 1, index + 2)],
      counts: [],
    }))
    expect(isOutside([...edited, { ...draws(150), packTypeId: 1 }])).toBe(true)
  })

  it('shows pack types in order of id, and none without draws', () => {
    const types = observedPackTypes([
      { ...draws(100), packTypeId: 7 },
      ...others(3),
      { ...draws(100), packTypeId: 2 },
    ])
    expect(types.map(({ packTypeId, draws: all }) => [packTypeId, all])).toEqual([
      [2, 1000],
      [7, 1000],
    ])
  })
})
