// Everything the overview of staff asks of the server: its statistics, the reset of one of them,
// and the state of the public log.

import { adminLogContract, adminOverviewContract } from '@redpack/contract'
import { queryOptions } from '@tanstack/react-query'
import { callConfirmed } from '../../lib/confirmed-call.ts'
import { endpointQuery, useEndpoint } from '../../lib/endpoint-query.ts'
import { useAct } from '../../lib/use-call.ts'

/** How long statistics are fresh and how long they are kept, in milliseconds. */
const statsFreshMs = 30_000
const statsKeptMs = 60_000
const statsRetries = 2

export const adminStatsQuery = queryOptions({
  ...endpointQuery(adminOverviewContract.stats, { shows: ['overview'] }),
  staleTime: statsFreshMs,
  gcTime: statsKeptMs,
  retry: statsRetries,
})

const logStateMs = 10_000

/** The public log moves every few seconds. */
export function useLogState() {
  return useEndpoint(adminLogContract.state, { shows: [], refetchInterval: logStateMs })
}

/** Sets the count of packs opened to 0, for staff and players alike. */
export function useResetOpenings() {
  return useAct({ mutationFn: () => callConfirmed(adminOverviewContract.resetOpenings) })
}
