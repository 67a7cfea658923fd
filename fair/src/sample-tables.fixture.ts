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

const share = fc.tuple(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 2_000 }))

/** Tables of up to twelve prizes, some limited, whose names need escapes. */
export const tables = fc
  .array(fc.tuple(share, fc.boolean(), fc.string({ unit: 'binary', maxLength: 8 })), {
    maxLength: 12,
  })
  .map((rows) =>
    table(
      ...rows.map(([[winFrequency, totalPacks], limited, name], index) =>
        entry(index + 1, { winFrequency, totalPacks, limited, name, redCoinAmount: index }),
      ),
    ),
  )
