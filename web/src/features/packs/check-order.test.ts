// The rules of a purchase, one by one and in their order.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clampQuantity, domainErrorOf, totalCost } from './check-order.ts'

const limited = { redCoinPrice: 100, isUnlimited: false, quantityAvailable: 5 }
const endless = { ...limited, isUnlimited: true, quantityAvailable: 0 }

describe('refusalOf', () => {
  it.each([null, 0, -1, 1.5])('refuses the quantity %s', (quantity) => {
    expect(domainErrorOf(limited, quantity, 1000)).toEqual({
      title: 'Invalid Quantity',
      description: 'Please enter a quantity greater than 0.',
    })
  })

  it('says what is needed and what is there, as numbers are written here', () => {
    expect(domainErrorOf({ ...endless, redCoinPrice: 1500 }, 2, 1200)).toEqual({
      title: 'Insufficient RedCoin',
      description: `You need ${(3000).toLocaleString()} RedCoin but only have ${(1200).toLocaleString()}.`,
    })
  })

  it('refuses more than a limited listing has', () => {
    expect(domainErrorOf(limited, 6, 1000)).toEqual({
      title: 'Not Enough Stock',
      description: 'Only 5 packs available.',
    })
  })

  it('looks at the quantity first, then at the balance, then at the stock', () => {
    expect(domainErrorOf(limited, 0, 0)?.title).toBe('Invalid Quantity')
    expect(domainErrorOf(limited, 9, 100)?.title).toBe('Insufficient RedCoin')
    expect(domainErrorOf(limited, 9, 900)?.title).toBe('Not Enough Stock')
    expect(domainErrorOf(limited, 5, 500)).toBeNull()
  })

  it('lets pass exactly what balance and stock cover', () => {
    const amount = fc.integer({ min: 1, max: 1_000_000 })
    fc.assert(
      fc.property(
        amount,
        amount,
        fc.nat(),
        fc.nat(),
        fc.boolean(),
        (price, n, balance, left, no) => {
          const terms = { redCoinPrice: price, isUnlimited: no, quantityAvailable: left }
          const isCovered = price * n <= balance && (no || n <= left)
          expect(domainErrorOf(terms, n, balance) === null).toBe(isCovered)
        },
      ),
    )
  })
})

describe('a typed quantity', () => {
  it('is never below 0', () => {
    expect(clampQuantity(-3)).toBe(0)
    expect(clampQuantity(4)).toBe(4)
    expect(clampQuantity(null)).toBeNull()
  })

  it('costs nothing until it is a quantity', () => {
    expect(totalCost(100, null)).toBe(0)
    expect(totalCost(100, 0)).toBe(0)
    expect(totalCost(100, 3)).toBe(300)
  })
})
