// One intention to buy, one key.

import { describe, expect, it } from 'vitest'
import { createPurchaseIntent } from './purchase-intent.ts'

const order = { storePackListingId: 1, quantity: 2 }

describe('a purchase intent', () => {
  it('keeps its key while it has not been answered', () => {
    const intent = createPurchaseIntent()
    const key = intent.keyOf(order)
    expect(key).toMatch(/^[0-9a-f-]{32,36}$/)
    expect(intent.keyOf({ ...order })).toBe(key)
  })

  it('takes another key once it has been answered', () => {
    const intent = createPurchaseIntent()
    const key = intent.keyOf(order)
    intent.settle()
    expect(intent.keyOf(order)).not.toBe(key)
  })

  it('is another one for another quantity or listing', () => {
    const intent = createPurchaseIntent()
    const keys = [order, { ...order, quantity: 3 }, { ...order, storePackListingId: 9 }, order].map(
      (each) => intent.keyOf(each),
    )
    expect(new Set(keys).size).toBe(4)
  })
})
