// What staff ask about the economy: chances, forecasts, flows, books, and what a draft changes.

import {
  adminEconomyContract,
  type EndpointShape,
  type flowDays,
  type Topic,
} from '@redpack/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { endpointQuery, useEndpoint } from '../../lib/endpoint-query.ts'

/** As long as this, in milliseconds, figures of the economy are not asked for again. */
const figuresFreshMs = 30_000

const figuresQuery = <E extends EndpointShape>(endpoint: E, shows: readonly Topic[]) => ({
  ...endpointQuery(endpoint, { shows }),
  staleTime: figuresFreshMs,
})

/** Real chances, expected RedCoin and warnings of every pack type. */
export const packEconomiesQuery = figuresQuery(adminEconomyContract.packs, [
  'catalogue',
  'pack_types',
])
/** How long the stock of each limited prize lasts, soonest first. */
export const stockForecastsQuery = figuresQuery(adminEconomyContract.stock, [
  'catalogue',
  'pack_types',
])
export const booksQuery = figuresQuery(adminEconomyContract.books, [])

export type FlowDays = (typeof flowDays)[number]

/** Sources and sinks of RedCoin per day. */
export function useEconomyFlow(days: FlowDays) {
  return useEndpoint(adminEconomyContract.flow, {
    shows: [],
    options: { query: { days: `${days}` } },
    staleTime: figuresFreshMs,
    placeholderData: keepPreviousData,
  })
}
