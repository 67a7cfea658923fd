// What the fairness feature asks the server: chain, openings, proofs, odds tables, the log's files.

import {
  deliveryRecordContract,
  drawLogContract,
  type FairOpening,
  fairnessContract,
  fairnessPageDefault,
} from '@redpack/contract'
import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { emptyPagination, endpointQuery, useEndpoint } from '../../lib/endpoint-query.ts'
import type { FoundEntry, OpenLog } from './log-reader.ts'

/** What draws again is loaded when it is needed. */
export const ownDraws = () => import('./own-draws.ts')

/** What the caller's next opening is drawn from, compared with what this browser remembers. */
export function useChain(userId: number, enabled = true) {
  return useEndpoint(fairnessContract.chain, {
    shows: ['chain'],
    ask: async (signal) => (await ownDraws()).lookAtChain(userId, signal),
    enabled,
  })
}

/** One page of the caller's openings; the page before stays until the next has come. */
export function useFairOpenings(page: number) {
  return useEndpoint(fairnessContract.openings, {
    shows: ['holdings', 'chain'],
    options: { query: { page, limit: fairnessPageDefault } },
    empty: { openings: [], pagination: emptyPagination },
    placeholderData: keepPreviousData,
  })
}

export function useProof(openingId: number) {
  return useEndpoint(fairnessContract.proof, {
    shows: ['chain'],
    options: { params: { id: openingId } },
  })
}

/** Of each opening whether it draws again as it was told, and its prize; needs its odds. */
export function useCheckedOpenings(openings: readonly FairOpening[]) {
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: ['checked-openings', openings.map(({ id }) => id)],
    queryFn: async () => {
      const { verifyProof } = await import('@redpack/fair/verify')
      const check = async (opening: FairOpening) => {
        const prizeId = opening.prizeId ?? opening.soldOutPrizeId
        const table = await queryClient.ensureQueryData(tableQuery(opening.tableHash))
        const prize = table.entries.find((entry) => entry.prizeId === prizeId)?.name
        const proof = { version: 1, opening, table, log: null } as const
        const { verdict } = await verifyProof(proof, null)
        return [opening.id, { prize, isProven: verdict !== 'failed' }] as const
      }
      // Odds that cannot be loaded leave their own openings unchecked.
      const checked = await Promise.all(openings.map((each) => check(each).catch(() => undefined)))
      return new Map(checked.filter((each) => each !== undefined))
    },
    placeholderData: keepPreviousData,
  })
  return data
}

const tableQuery = (hash: string) => ({
  ...endpointQuery(fairnessContract.table, { shows: [], options: { params: { hash } } }),
  staleTime: Number.POSITIVE_INFINITY,
})

const logReader = () => import('./log-reader.ts')

/** The newest checkpoint, checked against what this browser remembers; null for none. */
export const logHeadQuery = queryOptions<OpenLog | null>({
  queryKey: ['draw-log', 'head'],
  queryFn: async ({ signal }) => (await (await logReader()).openLog(signal)) ?? null,
})

/** Forgets the log that this browser remembers, and looks at it anew. */
export function useStartAnew() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => (await logReader()).forgetLog(),
    // A failure stands in the query, where the screen looks for it.
    onSuccess: () => queryClient.fetchQuery(logHeadQuery).catch(() => undefined),
  })
}

export const drawLogRows = 20

/** One page of entries, newest first; each is shown to lead to the checkpoint. */
export function useLogPage(log: OpenLog, page: number) {
  return useQuery<FoundEntry[]>({
    queryKey: ['draw-log', 'page', log.note, page],
    queryFn: async ({ signal }) => {
      const { provenEntries } = await logReader()
      const end = log.checkpoint.size - (page - 1) * drawLogRows
      return (await provenEntries(log, Math.max(0, end - drawLogRows), end, signal)).toReversed()
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useObserved() {
  return useEndpoint(drawLogContract.observed, {
    shows: [],
    empty: { packTypes: [] },
    staleTime: 30_000,
  })
}

/** How far everything that is sent has come, by the log alone. */
export function useDeliveries() {
  return useEndpoint(deliveryRecordContract.deliveries, { shows: ['claims'], staleTime: 30_000 })
}

/** True of an answer that contradicts what was asked; an alarm was raised for it. */
export function isNotProven(error: unknown): boolean {
  return error instanceof Error && error.name === 'NotProven'
}
