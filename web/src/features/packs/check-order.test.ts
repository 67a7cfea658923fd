// A purchase goes through exactly when balance and stock cover it.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { domainErrorOf } from './check-order.ts'

it('a whole number of packs that balance and stock cover is sold, and nothing else', () => {
  const amount = fc.integer({ min: 1, max: 1_000_000 })
  const typed = fc.oneof(amount, fc.constantFrom(null, 0, -1, 1.5))
  fc.assert(
    fc.property(amount, typed, fc.nat(), fc.nat(), fc.boolean(), (price, n, balance, left, no) => {
      const terms = { redCoinPrice: price, isUnlimited: no, quantityAvailable: left }
      const isWhole = n !== null && n > 0 && Number.isInteger(n)
      const isCovered = isWhole && price * n <= balance && (no || n <= left)
      expect(domainErrorOf(terms, n, balance) === null).toBe(isCovered)
      if (!isWhole) return
      const exact = { redCoinPrice: price, isUnlimited: false, quantityAvailable: n }
      expect(domainErrorOf(exact, n, price * n)).toBeNull()
      expect(domainErrorOf(exact, n, price * n - 1)?.title).toBe('Insufficient RedCoin')
      expect(domainErrorOf(exact, n + 1, price * (n + 1))?.title).toBe('Not Enough Stock')
    }),
  )
})
