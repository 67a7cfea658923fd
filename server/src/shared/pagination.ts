// Where a page stands in its list, with pages from 1 on; an empty list has 0 of them.

interface Asked {
  readonly page: number
  readonly limit: number
}

/** The place of a page as the lists of staff say it. */
export function placeOf(total: number, { page, limit }: Asked) {
  return { total, totalPages: Math.ceil(total / limit), page, limit }
}

/** The place of a page as the lists of players say it. */
export function paginationOf(totalItems: number, asked: Asked) {
  const { totalPages, page, limit } = placeOf(totalItems, asked)
  return {
    totalItems,
    totalPages,
    hasPreviousPage: page > 1 && totalPages > 0,
    hasNextPage: page < totalPages,
    page,
    limit,
  }
}
