// Properties of the draw: exact shares, no bias, stock that never goes below zero.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawPacks, entryAt } from './draw.ts'
import { canonicalTable, type OddsEntry, oddsChances, oddsThresholds, rollRange } from './odds.ts'

const entry = (prizeId: number, winFrequency: number, totalPacks: number): OddsEntry => ({
  prizeId,
  name: `Prize ${prizeId}`,
  winFrequency,
  totalPacks,
  redCoinAmount: 0,
})

const entries = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 2_000 })), {
    maxLength: 12,
  })
  .map((pairs) => pairs.map(([wins, packs], index) => entry(index + 1, wins, packs)))

const roll = fc.maxSafeNat().map((value) => value % rollRange)
const rolls = fc.array(roll, { maxLength: 50 })

describe('thresholds', () => {
  it('rise, stay inside the range, and end at it exactly when the shares reach 1', () => {
    fc.assert(
      fc.property(entries, (table) => {
        const thresholds = oddsThresholds(table)
        expect(thresholds.every((value) => Number.isSafeInteger(value))).toBe(true)
        for (const [index, value] of thresholds.entries()) {
          expect(value).toBeGreaterThanOrEqual(thresholds[index - 1] ?? 0)
          expect(value).toBeLessThanOrEqual(rollRange)
        }
        const { chances, scaled } = oddsChances(table)
        const sum = chances.reduce((total, chance) => total + chance, 0)
        if (scaled) expect(thresholds.at(-1)).toBe(rollRange)
        else expect((thresholds.at(-1) ?? 0) / rollRange).toBeCloseTo(sum, 9)
      }),
    )
  })

  it('are the floor of 2^52 times the exact cumulative share', () => {
    // 1/3 + 1/7 + 1/11 in exact arithmetic, floors worked out with whole numbers only.
    const table = [entry(1, 1, 3), entry(2, 1, 7), entry(3, 1, 11)]
    const range = 2n ** 52n
    expect(oddsThresholds(table)).toEqual(
      [range / 3n, (range * 10n) / 21n, (range * 131n) / 231n].map(Number),
    )
  })

  it('scale shares that sum above 1, a share above 1 counting as 1', () => {
    const table = [entry(1, 5, 2), entry(2, 1, 1)]
    expect(oddsThresholds(table)).toEqual([rollRange / 2, rollRange])
    expect(oddsChances(table)).toEqual({ chances: [0.5, 0.5], scaled: true })
  })

  it('give every prize exactly its share of a small range of rolls', () => {
    // Ten equal slices of the range; each slice starts where its first roll lies.
    const table = [entry(1, 3, 10), entry(2, 5, 10)]
    const thresholds = oddsThresholds(table)
    const counts = [0, 0, 0]
    for (let slice = 0; slice < 10; slice += 1) {
      const first = Number((2n ** 52n * BigInt(slice) + 9n) / 10n)
      const index = entryAt(thresholds, first) ?? 2
      counts[index] = (counts[index] ?? 0) + 1
    }
    expect(counts).toEqual([3, 5, 2])
  })

  it('decide the rolls at their edges by the published rule', () => {
    const thresholds = oddsThresholds([entry(1, 1, 4), entry(2, 1, 4)])
    expect(entryAt(thresholds, 0)).toBe(0)
    expect(entryAt(thresholds, rollRange / 4 - 1)).toBe(0)
    expect(entryAt(thresholds, rollRange / 4)).toBe(1)
    expect(entryAt(thresholds, rollRange / 2)).toBeUndefined()
    for (const none of [rollRange, -1, 0.5, Number.NaN]) {
      expect(() => entryAt(thresholds, none)).toThrow('52 bits')
    }
  })
})

describe('drawing packs', () => {
  it('gives one result per pack, at most one prize each, and never more than the stock', () => {
    fc.assert(
      fc.property(entries, rolls, fc.array(fc.option(fc.nat(5))), (table, rolled, limits) => {
        const stock = table.map((_, index) => limits[index] ?? undefined)
        const { drawn, stockUses } = drawPacks(oddsThresholds(table), stock, rolled)
        expect(drawn).toHaveLength(rolled.length)
        expect(drawn.every(({ won, soldOut }) => won === undefined || soldOut === undefined)).toBe(
          true,
        )
        for (const [index, units] of stock.entries()) {
          const wins = drawn.filter(({ won }) => won === index).length
          const misses = drawn.filter(({ soldOut }) => soldOut === index).length
          if (units === undefined) expect(misses).toBe(0)
          else expect(wins).toBe(Math.min(units, wins + misses))
          const use = stockUses.find((candidate) => candidate.index === index)
          expect(use?.taken ?? 0).toBe(units === undefined ? 0 : wins)
          expect(use?.ranOut ?? false).toBe(misses > 0)
        }
      }),
    )
  })

  it('names the stock it used in the order of the table, whatever was drawn first', () => {
    const thresholds = oddsThresholds([entry(1, 1, 4), entry(2, 1, 4), entry(3, 1, 4)])
    const quarter = (index: number) => (rollRange / 8) * (2 * index + 1)
    expect(drawPacks(thresholds, [1, 9, 9], [2, 0, 1, 0].map(quarter)).stockUses).toEqual([
      { index: 0, taken: 1, ranOut: true },
      { index: 1, taken: 1, ranOut: false },
      { index: 2, taken: 1, ranOut: false },
    ])
  })

  it('does not depend on how packs are grouped into requests', () => {
    fc.assert(
      fc.property(entries, rolls, fc.nat(50), (table, rolled, cut) => {
        const thresholds = oddsThresholds(table)
        const unlimited = table.map(() => undefined)
        const whole = drawPacks(thresholds, unlimited, rolled).drawn
        const parts = [rolled.slice(0, cut), rolled.slice(cut)].flatMap(
          (part) => drawPacks(thresholds, unlimited, part).drawn,
        )
        expect(parts).toEqual(whole)
      }),
    )
  })

  it('never passes the share of a sold-out prize to another one', () => {
    fc.assert(
      fc.property(entries, rolls, (table, rolled) => {
        const thresholds = oddsThresholds(table)
        const full = drawPacks(
          thresholds,
          table.map(() => undefined),
          rolled,
        ).drawn
        const empty = drawPacks(
          thresholds,
          table.map((_, i) => (i === 0 ? 0 : undefined)),
          rolled,
        ).drawn
        for (const [index, { won }] of full.entries()) {
          const expected = won === 0 ? { won: undefined, soldOut: 0 } : { won, soldOut: undefined }
          expect(empty[index]).toEqual(expected)
        }
      }),
    )
  })
})

it('writes a table as the canonical text that its hash is taken over', () => {
  const mug = {
    ...entry(2, 1, 100),
    name: 'Mug "é"',
    redCoinAmount: 7,
    rewardPackTypeId: null,
    rewardPackQuantity: 0,
    limited: true,
  }
  const terms = { packTypeId: 1, consolationRedCoin: 5, entries: [mug] }
  expect(canonicalTable(terms)).toBe(
    '{"packTypeId":1,"consolationRedCoin":5,"entries":[{"prizeId":2,"name":"Mug \\"é\\"","winFrequency":1,"totalPacks":100,"redCoinAmount":7,"rewardPackTypeId":null,"rewardPackQuantity":0,"limited":true}]}',
  )
})
