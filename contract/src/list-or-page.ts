// Lists that answer whole when nothing is asked of them, and a page when something is.

import * as z from 'zod/mini'
import { adminClaimsPageDefault, adminPageMax } from './limits.ts'
import { PageNumber, pageLimit, SearchText } from './values.ts'

/** Search, page and limit of a list for staff. */
export const pageFields = {
  search: SearchText,
  page: PageNumber,
  limit: pageLimit(adminClaimsPageDefault, adminPageMax),
}

/** A choice in a query: anything that is none of `values` is `fallback`. */
export function queryChoice<const V extends readonly [string, ...string[]]>(
  values: V,
  fallback: V[number],
) {
  return z._default(z.catch(z.enum(values), fallback as never), fallback as never)
}

/**
 * Query of a list with search, page, limit and one choice of its own, named `key`. With none of the
 * four the answer is the bare list, with any of them one page.
 */
export function listOrPage<const K extends string, const V extends readonly [string, ...string[]]>(
  key: K,
  values: V,
  fallback: V[number],
) {
  const fields = z.object({ ...pageFields, chosen: queryChoice(values, fallback) })
  const keys = ['search', 'page', 'limit', key]
  const given = z.looseObject({
    search: z.optional(z.unknown().check(z.meta({ type: 'string' }))),
    page: z.optional(z.unknown().check(z.meta({ type: 'integer', minimum: 1 }))),
    limit: z.optional(
      z.unknown().check(z.meta({ type: 'integer', minimum: 1, maximum: adminPageMax })),
    ),
    [key]: z.optional(z.unknown().check(z.meta({ enum: values }))),
  })
  return z.pipe(
    given,
    z.transform((query: Readonly<Record<string, unknown>>) => {
      if (keys.every((name) => query[name] === undefined)) return { isPaged: false as const }
      const { chosen, ...page } = z.parse(fields, { ...query, chosen: query[key] })
      return { isPaged: true as const, ...page, ...({ [key]: chosen } as Record<K, V[number]>) }
    }),
  )
}

/** What stands beside the rows of one page. */
export const pageCounts = {
  total: z.int(),
  totalPages: z.int(),
  page: z.int(),
  limit: z.int(),
}
