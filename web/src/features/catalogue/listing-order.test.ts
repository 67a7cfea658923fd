// The order of listings, and the steps up and down in it.

import { describe, expect, it } from 'vitest'
import { inStoreOrder, movedOrders } from './listing-order.ts'

const listings = (...orders: number[]) => orders.map((sortOrder, at) => ({ id: at + 1, sortOrder }))
const ids = (placed: readonly { readonly id: number }[]) => placed.map(({ id }) => id)

/** What the store shows after the changes. */
function after(before: ReturnType<typeof listings>, id: number, by: -1 | 1): number[] {
  const changes = movedOrders(before, id, by)
  return ids(
    inStoreOrder(
      before.map((listing) => ({ ...listing, ...changes.find((one) => one.id === listing.id) })),
    ),
  )
}

describe('the order', () => {
  it('is by sort order, then by id', () => {
    expect(ids(inStoreOrder(listings(5, 0, 5, 1)))).toEqual([2, 4, 1, 3])
  })
})

describe('a step', () => {
  it.each([
    ['apart', [0, 10, 20]],
    ['side by side', [1, 2, 3]],
    ['all the same', [0, 0, 0]],
    ['partly the same', [0, 0, 1]],
  ])('moves one place whether orders are %s', (_, orders) => {
    const before = listings(...orders)
    expect(after(before, 2, -1)).toEqual([2, 1, 3])
    expect(after(before, 2, 1)).toEqual([1, 3, 2])
    expect(after(before, 3, -1)).toEqual([1, 3, 2])
    expect(after(before, 1, 1)).toEqual([2, 1, 3])
  })

  it('over either end changes nothing', () => {
    expect(movedOrders(listings(1, 2), 1, -1)).toEqual([])
    expect(movedOrders(listings(1, 2), 2, 1)).toEqual([])
    expect(movedOrders(listings(1, 2), 9, 1)).toEqual([])
  })
})
