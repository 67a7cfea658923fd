// What staff ask about the economy: chances, forecasts, flows, books, and what a draft changes.

import { adminEconomyContract, type flowDays } from '@redpack/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'

/** As long as this, in milliseconds, figures of the economy are not asked for again. */
const figuresFreshMs = 30_000

/** Real chances, expected RedCoin and warnings of every pack type. */
export function usePackEconomies() {
  return useQuery({
    ...endpointQuery(adminEconomyContract.packs, { shows: [], isNeeded: true }),
    staleTime: figuresFreshMs,
  })
}

/** How long the stock of each limited prize lasts, soonest first. */
export function useStockForecasts() {
  return useQuery({
    ...endpointQuery(adminEconomyContract.stock, { shows: [], isNeeded: true }),
    staleTime: figuresFreshMs,
  })
}

export type FlowDays = (typeof flowDays)[number]

/** Sources and sinks of RedCoin per day. */
export function useEconomyFlow(days: FlowDays) {
  return useQuery({
    ...endpointQuery(adminEconomyContract.flow, {
      shows: [],
      key: [days],
      ask: (signal) => call(adminEconomyContract.flow, { query: { days: `${days}` }, signal }),
      isNeeded: true,
    }),
    staleTime: figuresFreshMs,
    placeholderData: keepPreviousData,
  })
}

/** Whether the books agree. */
export function useBooks() {
  return useQuery({
    ...endpointQuery(adminEconomyContract.books, { shows: [], isNeeded: true }),
    staleTime: figuresFreshMs,
  })
}
