// One intention to buy, one key.

import { describe, expect, it } from 'vitest'
import { createPurchaseIntent } from './store-queries.ts'

const order = { storePackListingId: 1, quantity: 2, expectedPrice: 100 }

describe('a purchase intent', () => {
  it('keeps its key while it has not been answered', () => {
    const intent = createPurchaseIntent()
    const key = intent.sentFor(order).key
    expect(key).toMatch(/^[0-9a-f-]{32,36}$/)
    expect(intent.sentFor({ ...order }).key).toBe(key)
  })

  it('keeps its price too, so that a price that changed meanwhile buys nothing twice', () => {
    const intent = createPurchaseIntent()
    const sent = intent.sentFor(order)
    expect(intent.sentFor({ ...order, expectedPrice: 120 })).toEqual(sent)
    intent.settle()
    const next = intent.sentFor({ ...order, expectedPrice: 120 })
    expect(next.order.expectedPrice).toBe(120)
    expect(next.key).not.toBe(sent.key)
  })

  it('takes another key once it has been answered', () => {
    const intent = createPurchaseIntent()
    const key = intent.sentFor(order).key
    intent.settle()
    expect(intent.sentFor(order).key).not.toBe(key)
  })

  it('is another one for another quantity or listing', () => {
    const intent = createPurchaseIntent()
    const keys = [order, { ...order, quantity: 3 }, { ...order, storePackListingId: 9 }, order].map(
      (each) => intent.sentFor(each).key,
    )
    expect(new Set(keys).size).toBe(4)
  })
})
