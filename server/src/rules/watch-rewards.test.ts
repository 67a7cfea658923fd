import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effectiveRewards, paymentFor, type RewardRow } from './watch-time.ts'

const none = { packTypeId: null, packTypeName: null, packQuantity: 1 }
const own = { packTypeId: 7, packTypeName: 'Gold', packQuantity: 2 }
const row = (more: Partial<RewardRow>): RewardRow => ({ ...none, redCoinAmount: 0, ...more })

describe('the rewards of a stream', () => {
  it('are its own packs as one reward when there is no row', () => {
    expect(effectiveRewards({ redCoinAmount: 100, packs: own, rows: [] })).toEqual([
      { ...own, redCoinAmount: 0 },
    ])
    expect(effectiveRewards({ redCoinAmount: 100, packs: none, rows: [] })).toEqual([])
  })

  it('hold no packs in a row without a pack type', () => {
    const rewards = { redCoinAmount: 0, packs: none, rows: [row({ redCoinAmount: 4 })] }
    expect(effectiveRewards(rewards)).toEqual([row({ packQuantity: 0, redCoinAmount: 4 })])
  })
})

describe('what a completion pays', () => {
  it('is exactly the sum of what it lists, with pack types ascending', () => {
    const rows = fc.array(
      fc.record({
        packTypeId: fc.option(fc.integer({ min: 1, max: 5 })),
        packTypeName: fc.constant('Any'),
        packQuantity: fc.nat(9),
        redCoinAmount: fc.nat(1000),
      }),
    )
    fc.assert(
      fc.property(fc.nat(1000), rows, (redCoinAmount, list) => {
        const { given, redCoinTotal, packs } = paymentFor({ redCoinAmount, packs: own, rows: list })
        expect(given.reduce((total, item) => total + item.redCoinAmount, 0)).toBe(redCoinTotal)
        const packTotal = [...packs.values()].reduce((total, quantity) => total + quantity, 0)
        expect(given.reduce((total, item) => total + item.packQuantity, 0)).toBe(packTotal)
        const ids = [...packs.keys()]
        expect(ids).toEqual([...ids].sort((a, b) => a - b))
      }),
    )
  })
})
