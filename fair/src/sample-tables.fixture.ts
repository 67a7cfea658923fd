// Odds tables for tests of the draw.

import fc from 'fast-check'
import type { OddsTable, TableEntry } from './draw.ts'

export const entry = (prizeId: number, more: Partial<TableEntry> = {}): TableEntry => ({
  prizeId,
  name: `Prize ${prizeId}`,
  winFrequency: 1,
  totalPacks: 10,
  redCoinAmount: 0,
  rewardPackTypeId: null,
  rewardPackQuantity: 0,
  limited: false,
  ...more,
})

export const table = (...entries: readonly TableEntry[]): OddsTable => ({
  packTypeId: 1,
  consolationRedCoin: 5,
  entries,
})

const anyAmount = fc.oneof(fc.nat(12), fc.nat(2 ** 31 - 1), fc.constant(2 ** 53 - 1))
const anyCount = fc.oneof(
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  fc.constantFrom(2 ** 30, 1_000_000, 999_999, 2 ** 31 - 1),
)

/** Tables of up to twelve prizes, of any numbers and with names that need escapes. */
export const tables = fc
  .record({
    packTypeId: fc.constant(1),
    consolationRedCoin: anyAmount,
    entries: fc.array(
      fc.record({
        name: fc.string({ unit: 'binary', maxLength: 12 }),
        winFrequency: anyCount,
        totalPacks: anyCount,
        redCoinAmount: anyAmount,
        reward: fc.constantFrom([null, 0], [1, 1], [2 ** 31 - 1, 3]),
        limited: fc.boolean(),
      }),
      { maxLength: 12 },
    ),
  })
  .map(({ entries, ...more }) => ({
    ...more,
    entries: entries.map(({ reward: [type = null, quantity], ...one }, index) =>
      entry(index + 1, { ...one, rewardPackTypeId: type, rewardPackQuantity: quantity ?? 0 }),
    ),
  }))
