// The order of listings, and the steps up and down in it.

import { integerMax } from '@redpack/contract'
import { describe, expect, it } from 'vitest'
import { inStoreOrder, movedOrders } from './listings-panel.tsx'

const listings = (...orders: number[]) => orders.map((sortOrder, at) => ({ id: at + 1, sortOrder }))
const ids = (placed: readonly { readonly id: number }[]) => placed.map(({ id }) => id)

/** What the store shows after the changes. */
function after(before: ReturnType<typeof listings>, id: number, to: number): number[] {
  const changes = movedOrders(before, id, to)
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

describe('a move', () => {
  it.each([
    ['apart', [0, 10, 20]],
    ['side by side', [1, 2, 3]],
    ['all the same', [0, 0, 0]],
    ['partly the same', [0, 0, 1]],
    ['at the end of what can be', [0, integerMax, integerMax]],
  ])('goes to any place whether orders are %s', (_, orders) => {
    const before = listings(...orders)
    expect(after(before, 2, 0)).toEqual([2, 1, 3])
    expect(after(before, 2, 2)).toEqual([1, 3, 2])
    expect(after(before, 3, 0)).toEqual([3, 1, 2])
    expect(after(before, 3, 1)).toEqual([1, 3, 2])
    expect(after(before, 1, 1)).toEqual([2, 1, 3])
    expect(after(before, 1, 2)).toEqual([2, 3, 1])
  })

  it('changes as few as it can', () => {
    expect(movedOrders(listings(0, 10, 20), 3, 0)).toHaveLength(2)
    expect(movedOrders(listings(0, 10, 20), 3, 1)).toHaveLength(2)
    expect(movedOrders(listings(0, 10, 20), 1, 2)).toHaveLength(1)
  })

  it('over either end, or to where it is, changes nothing', () => {
    expect(movedOrders(listings(1, 2), 1, -1)).toEqual([])
    expect(movedOrders(listings(1, 2), 2, 2)).toEqual([])
    expect(movedOrders(listings(1, 2), 2, 1)).toEqual([])
    expect(movedOrders(listings(1, 2), 9, 1)).toEqual([])
  })
})
