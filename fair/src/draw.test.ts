// Properties of odds and draw: exact shares, no bias, stock that never goes below zero, and a check
// that agrees with the draw and with nothing else.

import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chancesOf,
  commitmentOf,
  drawPacks,
  entryAt,
  faultOfResult,
  rollRange,
  rollsOf,
  type ToldResult,
  tableHash,
  tableOfText,
  tableText,
  thresholdsOf,
} from './draw.ts'
import { portableHashing } from './hashing.ts'
import { entry, table, tables } from './sample-tables.fixture.ts'

const roll = fc.maxSafeNat().map((value) => value % rollRange)
const rolls = fc.array(roll, { minLength: 1, maxLength: 50 })

describe('thresholds', () => {
  it('rise, stay inside the range, and are the floors of exact sums', () => {
    fc.assert(
      fc.property(tables, ({ entries }) => {
        const thresholds = thresholdsOf(entries)
        const whole = entries.reduce((all, { totalPacks }) => all * BigInt(totalPacks), 1n)
        const parts = entries.map(
          ({ winFrequency, totalPacks }) =>
            (whole / BigInt(totalPacks)) * BigInt(Math.min(winFrequency, totalPacks)),
        )
        const sum = parts.reduce((all, part) => all + part, 0n)
        // Shares above the whole are scaled down to it.
        let below = whole
        if (sum > whole) below = sum
        let above = 0n
        for (const [index, part] of parts.entries()) {
          above += part
          expect(thresholds[index]).toBe(Number((BigInt(rollRange) * above) / below))
        }
        expect(thresholds.at(-1) ?? 0).toBeLessThanOrEqual(rollRange)
      }),
    )
  })

  it('scale shares that sum above 1, a share above 1 counting as 1', () => {
    const two = [entry(1, { winFrequency: 5, totalPacks: 2 }), entry(2, { totalPacks: 1 })]
    expect(thresholdsOf(two)).toEqual([rollRange / 2, rollRange])
  })

  it('give each roll to one entry', () => {
    expect([0, 9, 10, 19, 20].map((at) => entryAt([10, 20], at))).toEqual([0, 0, 1, 1, undefined])
    expect(entryAt([10, 10, 20], 10)).toBe(2)
    expect(entryAt([], 0)).toBeUndefined()
  })
})

describe('the chances that people read', () => {
  it('are those of the thresholds, scaled exactly where the shares sum above 1', () => {
    fc.assert(
      fc.property(tables, ({ entries }) => {
        const { chances, scaled } = chancesOf(entries)
        const thresholds = thresholdsOf(entries)
        chances.forEach((chance, at) => {
          const width = thresholds[at]! - (thresholds[at - 1] ?? 0)
          expect(chance).toBeCloseTo(width / rollRange, 9)
        })
        const shares = entries.map(({ winFrequency, totalPacks }) => winFrequency / totalPacks)
        const sum = shares.reduce((total, share) => total + Math.min(1, share), 0)
        // Beside 1 a sum of fractions is not exact.
        if (Math.abs(sum - 1) > 1e-9) expect(scaled).toBe(sum > 1)
      }),
    )
    const half = { winFrequency: 1, totalPacks: 2 }
    expect(chancesOf([half, half])).toEqual({ chances: [0.5, 0.5], scaled: false })
  })
})

describe('the text of a table', () => {
  it('is one text for one table, and is read back only in that form', () => {
    fc.assert(
      fc.property(tables, (one) => {
        const text = tableText(one)
        expect(tableOfText(text)).toEqual(one)
        expect(tableHash(text, portableHashing)).toBe(
          createHash('sha256').update(text, 'utf8').digest('hex'),
        )
        expect(tableOfText(` ${text}`)).toBeUndefined()
        expect(tableOfText(text.replace('{"packTypeId":1,', '{"packTypeId":1,"x":1,'))).toBe(
          undefined,
        )
      }),
    )
  })

  it.each([
    ['a share without packs', table(entry(1, { totalPacks: 0 }))],
    ['prizes out of order', table(entry(2), entry(1))],
    ['a prize twice', table(entry(1), entry(1))],
    ['packs of no type', table(entry(1, { rewardPackQuantity: 2 }))],
    ['a negative payment', table(entry(1, { redCoinAmount: -1 }))],
  ])('is none with %s', (_what, wrong) => {
    expect(tableOfText(tableText(wrong))).toBeUndefined()
  })

  it.each(Object.keys(entry(1)))('is none where %s of a prize is something else', (field) => {
    const text = tableText(table(entry(1)))
    const wrong = JSON.stringify({ ...entry(1), [field]: [] })
    expect(tableOfText(text.replace(JSON.stringify(entry(1)), wrong))).toBeUndefined()
  })
})

describe('rolls', () => {
  const seed = Uint8Array.from({ length: 32 }, (_, at) => at)
  const terms = { seed, entropy: 'ab'.repeat(32), tableHash: 'cd'.repeat(32) }

  it('are the first 52 bits of the HMAC of entropy, place and table', () => {
    const expected = [0, 1, 2].map((index) => {
      const message = `${terms.entropy}:${index}:${terms.tableHash}`
      const digest = createHmac('sha256', seed).update(message).digest('hex')
      return Number(BigInt(`0x${digest}`) >> 204n)
    })
    expect(rollsOf(terms, 3, portableHashing)).toEqual(expected)
    expect(commitmentOf(seed, portableHashing)).toBe(
      createHash('sha256').update(seed).digest('hex'),
    )
  })

  it('fall evenly: each of sixteen slices gets its share', () => {
    const counts = new Array<number>(16).fill(0)
    for (const value of rollsOf(terms, 32_000, portableHashing)) {
      const slice = Math.floor((value / rollRange) * 16)
      counts[slice] = (counts[slice] ?? 0) + 1
    }
    // Chi-squared with 15 degrees of freedom is below 44 but for one try in ten thousand.
    const expected = 2_000
    const chi = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    expect(chi).toBeLessThan(44)
  })
})

it('each byte that a digest can begin with falls to one entry, as many as its share holds', () => {
  const terms = { seed: new Uint8Array(32), entropy: '', tableHash: '' }
  // The digest of pack i begins with the byte i.
  const hmacSha256 = (_key: Uint8Array, message: Uint8Array) =>
    Uint8Array.of(Number(Buffer.from(message).toString().slice(1, -1)), 0, 0, 0, 0, 0, 0)
  const values = rollsOf(terms, 256, { hmacSha256 })
  fc.assert(
    fc.property(tables, ({ entries }) => {
      const thresholds = thresholdsOf(entries)
      const found = values.map((value) => entryAt(thresholds, value))
      const below = [0, ...thresholds].map((end) => Math.ceil((end / rollRange) * 256))
      for (const at of entries.keys()) {
        const count = found.filter((index) => index === at).length
        expect(count).toBe((below[at + 1] ?? 0) - (below[at] ?? 0))
      }
    }),
  )
})

describe('a request', () => {
  const stocks = fc.array(fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }), {
    minLength: 12,
    maxLength: 12,
  })

  it('takes no more than the stock, and is sold out only at 0', () => {
    fc.assert(
      fc.property(tables, stocks, rolls, ({ entries }, stock, drawnRolls) => {
        const { drawn, stockUses } = drawPacks(thresholdsOf(entries), stock, drawnRolls)
        expect(drawn).toHaveLength(drawnRolls.length)
        for (const { index, taken, ranOut } of stockUses) {
          const units = stock[index] ?? Number.NaN
          expect(taken).toBe(drawn.filter(({ won }) => won === index).length)
          expect(taken).toBeLessThanOrEqual(units)
          if (ranOut) expect(taken).toBe(units)
          expect(ranOut).toBe(drawn.some(({ soldOut }) => soldOut === index))
        }
      }),
    )
  })

  it('gives the same in two parts as at once, and takes as much in any order', () => {
    fc.assert(
      fc.property(tables, stocks, rolls, fc.nat(50), ({ entries }, stock, drawnRolls, cut) => {
        const thresholds = thresholdsOf(entries)
        const whole = drawPacks(thresholds, stock, drawnRolls)
        const first = drawPacks(thresholds, stock, drawnRolls.slice(0, cut))
        const left = [...stock]
        for (const { index, taken } of first.stockUses) left[index] = (left[index] ?? 0) - taken
        const second = drawPacks(thresholds, left, drawnRolls.slice(cut))
        expect([...first.drawn, ...second.drawn]).toEqual(whole.drawn)
        expect(drawPacks(thresholds, stock, drawnRolls.toReversed()).stockUses).toEqual(
          whole.stockUses,
        )
      }),
    )
  })

  it('is told truly exactly when the check finds nothing', () => {
    fc.assert(
      fc.property(tables, roll, fc.boolean(), (one, value, isOut) => {
        const thresholds = thresholdsOf(one.entries)
        const at = entryAt(thresholds, value)
        const drawn = at === undefined ? undefined : one.entries[at]
        const isSoldOut = isOut && drawn?.limited === true
        const told: ToldResult = {
          prizeId: drawn && !isSoldOut ? drawn.prizeId : null,
          soldOutPrizeId: isSoldOut ? (drawn?.prizeId ?? null) : null,
          redCoinEarned: drawn && !isSoldOut ? drawn.redCoinAmount : one.consolationRedCoin,
        }
        const faultOf = (lie: Partial<ToldResult>) =>
          faultOfResult(one, thresholds, value, { ...told, ...lie })
        expect(faultOf({})).toBeUndefined()
        expect(faultOf({ redCoinEarned: told.redCoinEarned + 1 })).toBe('pay')
        expect(faultOf({ prizeId: 999 })).toBe('result')
        expect(faultOf({ soldOutPrizeId: 999 })).toBe('result')
        if (drawn && !drawn.limited) {
          const denied = { prizeId: null, soldOutPrizeId: drawn.prizeId }
          expect(faultOf(denied)).toBe('result')
          expect(faultOf({ prizeId: null })).toBe('result')
        }
      }),
    )
  })
})
