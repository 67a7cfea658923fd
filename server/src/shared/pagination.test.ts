import { describe, expect, it } from 'vitest'
import { paginationOf } from './pagination.ts'

describe('the place of a page', () => {
  it('has no pages in an empty list', () => {
    expect(paginationOf(0, { page: 1, limit: 25 })).toEqual({
      totalItems: 0,
      totalPages: 0,
      hasPreviousPage: false,
      hasNextPage: false,
      page: 1,
      limit: 25,
    })
  })

  it.each([
    [25, 1, 1, false, false],
    [26, 1, 2, false, true],
    [26, 2, 2, true, false],
    [26, 9, 2, true, false],
    [51, 2, 3, true, true],
  ])('of %i items, page %i', (totalItems, page, totalPages, hasPreviousPage, hasNextPage) => {
    expect(paginationOf(totalItems, { page, limit: 25 })).toMatchObject({
      totalPages,
      hasPreviousPage,
      hasNextPage,
    })
  })
})
