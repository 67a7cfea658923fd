// How a text that somebody looks for becomes a pattern.

/** Pattern of SQL's LIKE for texts that contain `search`, whose own wildcards mean themselves. */
export function containing(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`
}

/** How many pages of `limit` rows there are. */
export function pagesOf(total: number, limit: number): number {
  return Math.ceil(total / limit)
}
