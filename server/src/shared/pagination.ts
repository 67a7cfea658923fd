// Where a page stands in its list.

/** The place of page `page` (from 1) in a list; an empty list has 0 pages. */
export function paginationOf(totalItems: number, page: number, limit: number) {
  const totalPages = Math.ceil(totalItems / limit)
  return {
    totalItems,
    totalPages,
    hasPreviousPage: page > 1 && totalPages > 0,
    hasNextPage: page < totalPages,
    page,
    limit,
  }
}
