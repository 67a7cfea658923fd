// How long stock lasts, and that a simulation draws as the product does.

import { describe, expect, it } from 'vitest'
import { stockOutlook } from './pack-economy.ts'

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
