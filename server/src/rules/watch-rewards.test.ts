import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effectiveRewards, paymentFor, type RewardRow } from './watch-time.ts'

const none = { packTypeId: null, packTypeName: null, packQuantity: 1 }
const own = { packTypeId: 7, packTypeName: 'Gold', packQuantity: 2 }
const row = (more: Partial<RewardRow>): RewardRow => ({ ...none, redCoinAmount: 0, ...more })

describe('the rewards of a stream', () => {
  it('are its rows, which push its own packs aside', () => {
    const rows = [row({ packTypeId: 3, packTypeName: 'Blue', packQuantity: 1, redCoinAmount: 5 })]
    expect(effectiveRewards({ redCoinAmount: 100, packs: own, rows })).toEqual(rows)
  })

  it('are its own packs as one reward when there is no row', () => {
    expect(effectiveRewards({ redCoinAmount: 100, packs: own, rows: [] })).toEqual([
      { ...own, redCoinAmount: 0 },
    ])
    const one = { ...own, packQuantity: 1 }
    expect(effectiveRewards({ redCoinAmount: 100, packs: one, rows: [] })).toHaveLength(1)
    for (const packs of [none, { ...own, packQuantity: 0 }]) {
      expect(effectiveRewards({ redCoinAmount: 100, packs, rows: [] })).toEqual([])
    }
  })

  it('hold no packs in a row without a pack type', () => {
    const rewards = { redCoinAmount: 0, packs: none, rows: [row({ redCoinAmount: 4 })] }
    expect(effectiveRewards(rewards)).toEqual([row({ packQuantity: 0, redCoinAmount: 4 })])
  })
})

describe('what a completion pays', () => {
  it('is the RedCoin of the stream once, and every row once', () => {
    const rows = [
      row({ packTypeId: 9, packTypeName: 'Red', packQuantity: 2, redCoinAmount: 10 }),
      row({ packTypeId: 3, packTypeName: 'Blue', packQuantity: 1 }),
      row({ packTypeId: 9, packTypeName: 'Red', packQuantity: 3 }),
      row({ redCoinAmount: 5 }),
    ]
    const payment = paymentFor({ redCoinAmount: 100, packs: own, rows })
    expect(payment.redCoinTotal).toBe(115)
    expect([...payment.packs]).toEqual([
      [3, 1],
      [9, 5],
    ])
    expect(payment.given).toHaveLength(5)
    expect(payment.given[0]).toEqual(row({ packQuantity: 0, redCoinAmount: 100 }))
  })

  it('is nothing for a stream without rewards', () => {
    const payment = paymentFor({ redCoinAmount: 0, packs: none, rows: [row({ packQuantity: 0 })] })
    expect(payment).toEqual({ given: [], redCoinTotal: 0, packs: new Map() })
  })

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
