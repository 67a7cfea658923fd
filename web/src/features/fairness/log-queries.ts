// What the draw log asks the server: its files, and how draws and odds compare.

import { drawLogContract } from '@redpack/contract'
import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import type { FoundEntry, OpenLog } from './log-reader.ts'

// The code that reads the log is loaded when it is first needed.
const logReader = () => import('./log-reader.ts')

const headQuery = queryOptions<OpenLog | null>({
  queryKey: ['draw-log', 'head'],
  queryFn: async ({ signal }) => (await (await logReader()).openLog(signal)) ?? null,
})

/** The newest checkpoint, checked against what this browser remembers; null for none. */
export function useLogHead() {
  return useQuery(headQuery)
}

/** Forgets the log that this browser remembers, and looks at it anew. */
export function useStartAnew() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => (await logReader()).forgetLog(),
    // A failure stands in the query, where the screen looks for it.
    onSuccess: () => queryClient.fetchQuery(headQuery).catch(() => undefined),
  })
}

/** Entries on one page of the log. */
export const drawLogRows = 20

/** The entries up to one, newest first; each is shown to lead to the checkpoint. */
export function useLogPage(log: OpenLog, end: number) {
  return useQuery<FoundEntry[]>({
    queryKey: ['draw-log', 'page', log.note, end],
    queryFn: async ({ signal }) => {
      const { provenEntries } = await logReader()
      const from = Math.max(0, end - drawLogRows)
      return (await provenEntries(log, from, end, signal)).toReversed()
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Per pack type what was published and what the draws gave. */
export function useObserved() {
  return useQuery({
    ...endpointQuery(drawLogContract.observed, { shows: [], empty: { packTypes: [] } }),
    staleTime: 30_000,
  })
}
