// What a change of stock does to a quantity that is typed already.

import { describe, expect, it } from 'vitest'
import { afterStockChange } from './purchase-panel.tsx'

describe('afterStockChange', () => {
  it('lowers a quantity that the stock covered before, and says so', () => {
    expect(afterStockChange(5, 7, 3)).toEqual({
      quantity: 3,
      stockNotice: 'Only 3 left now, so your quantity was lowered to 3.',
    })
    expect(afterStockChange(5, undefined, 3)?.quantity).toBe(3)
  })

  it.each([
    ['the stock still covers it', 2, 7, 3],
    ['the stock grew', 5, 7, 9],
    ['the stock has no end any more', 5, 7, undefined],
    ['it was too high before as well', 9, 7, 3],
    ['the field is empty', null, 7, 3],
    ['nothing is left: there is nothing to order', 5, 7, 0],
  ])('leaves the quantity when %s', (_, quantity, before, now) => {
    expect(afterStockChange(quantity, before, now)).toBeNull()
  })
})
