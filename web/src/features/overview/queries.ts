// Everything the overview of staff asks of the server: its statistics, the reset of one of them,
// and the state of the public log.

import {
  type AdminStats,
  adminLogContract,
  adminOverviewContract,
  type LogState,
  packsContract,
} from '@redpack/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { callConfirmed } from '../../lib/confirmed-call.ts'

/** How long statistics are fresh and how long they are kept, in milliseconds (001: 208). */
const statsFreshMs = 30_000
const statsKeptMs = 60_000
const statsRetries = 2

export const adminStatsQuery = queryOptions({
  queryKey: [adminOverviewContract.stats.path],
  queryFn: ({ signal }): Promise<AdminStats> => call(adminOverviewContract.stats, { signal }),
  staleTime: statsFreshMs,
  gcTime: statsKeptMs,
  retry: statsRetries,
})

export function useAdminStats() {
  return useQuery(adminStatsQuery)
}

const logStateMs = 10_000

/** The public log moves every few seconds. */
export function useLogState() {
  return useQuery<LogState>({
    queryKey: [adminLogContract.state.path],
    queryFn: ({ signal }) => call(adminLogContract.state, { signal }),
    refetchInterval: logStateMs,
  })
}

/** Sets the count of packs opened to 0, for staff and players alike. */
export function useResetOpenings() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => callConfirmed(adminOverviewContract.resetOpenings),
    onSuccess: () => {
      const changed = [
        adminStatsQuery.queryKey,
        [packsContract.stats.path],
        [packsContract.openings.path],
      ]
      for (const queryKey of changed) {
        queryClient.invalidateQueries({ queryKey }).catch(() => undefined)
      }
    },
  })
}
