// One intention to buy, one key.

import { beforeEach, describe, expect, it, vi } from 'vitest'
import { testNow } from '../../../../tools/test-clock.ts'
import { purchaseIntent as intent } from './store-queries.ts'

const order = { storePackListingId: 1, quantity: 2, expectedPrice: 100 }

beforeEach(() => sessionStorage.clear())

describe('a purchase intent', () => {
  it('is another one for another quantity or listing', () => {
    const keys = [order, { ...order, quantity: 3 }, { ...order, storePackListingId: 9 }, order].map(
      (each) => intent.sentFor(each).key,
    )
    expect(new Set(keys).size).toBe(4)
  })

  it('is another one once the server may have forgotten the key, or the clock was wrong', () => {
    const key = intent.sentFor(order).key
    const now = testNow()
    vi.spyOn(Date, 'now').mockReturnValue(now + 21 * 3_600_000)
    const later = intent.sentFor(order).key
    expect(later).not.toBe(key)
    vi.spyOn(Date, 'now').mockReturnValue(now)
    expect(intent.sentFor(order).key).not.toBe(later)
  })

  it('keeps its key also where the browser keeps nothing, or something else stands there', () => {
    sessionStorage.setItem('redpack:purchase:1', '{"key":')
    const broken = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('full')
    })
    const key = intent.sentFor(order).key
    expect(intent.sentFor(order).key).toBe(key)
    intent.settle(order)
    broken.mockRestore()
    expect(intent.sentFor(order).key).not.toBe(key)
  })
})
