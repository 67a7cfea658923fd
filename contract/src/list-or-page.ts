// Lists that return everything without a query, and one page with one.

import * as z from 'zod/mini'
import { adminClaimsPageDefault, adminPageMax } from './limits.ts'
import { PageNumber, pageLimit, SearchText } from './values.ts'

/** Search, page and limit of a list for staff. */
export const pageFields = {
  search: SearchText,
  page: PageNumber,
  limit: pageLimit(adminClaimsPageDefault, adminPageMax),
}

/** A choice in a query: anything not in `values` is `fallback`. */
export function queryChoice<const V extends readonly [string, ...string[]]>(
  values: V,
  fallback: V[number],
) {
  return z._default(z.catch(z.enum(values), fallback as never), fallback as never)
}

/** A choice of one list: its values and its default. */
interface ListChoice {
  readonly values: readonly [string, ...string[]]
  readonly usual: string
  /** False for a choice that does not turn the list into a page. */
  readonly asksForPage?: boolean
}

type Chosen<C extends Readonly<Record<string, ListChoice>>> = {
  readonly [K in keyof C]: C[K]['values'][number]
}

/**
 * Query of a list with search, page, limit and its own choices. Without any the answer is the bare
 * list, with any of them one page.
 */
export function listOrPage<const C extends Readonly<Record<string, ListChoice>>>(choices: C) {
  const named = Object.entries(choices)
  const fields = z.object(pageFields)
  const asking = named.filter(([, { asksForPage = true }]) => asksForPage)
  const keys = ['search', 'page', 'limit', ...asking.map(([name]) => name)]
  const given = z.looseObject({
    search: z.optional(z.unknown().check(z.meta({ type: 'string' }))),
    page: z.optional(z.unknown().check(z.meta({ type: 'integer', minimum: 1 }))),
    limit: z.optional(
      z.unknown().check(z.meta({ type: 'integer', minimum: 1, maximum: adminPageMax })),
    ),
    ...Object.fromEntries(
      named.map(([name, { values }]) => [
        name,
        z.optional(z.unknown().check(z.meta({ enum: [...values] }))),
      ]),
    ),
  })
  return z.pipe(
    given,
    z.transform((query: Readonly<Record<string, unknown>>) => {
      if (keys.every((name) => query[name] === undefined)) return { isPaged: false as const }
      const chosen = Object.fromEntries(
        named.map(([name, { values, usual }]) => {
          const found = values.find((value) => value === query[name])
          return [name, found ?? usual]
        }),
      ) as Chosen<C>
      return { isPaged: true as const, ...z.parse(fields, query), ...chosen }
    }),
  )
}

/** The counts beside the rows of one page. */
export const pageCounts = {
  total: z.int(),
  totalPages: z.int(),
  page: z.int(),
  limit: z.int(),
}
