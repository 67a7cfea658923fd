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
import type { Checkpoint } from '../../lib/tlog/checkpoint.ts'
import type { VerifierKey } from '../../lib/tlog/signed-note.ts'
import type { FoundEntry } from './find-entry.ts'
import type { OpenLog } from './log-memory.ts'

// The code that reads the log is loaded when it is first needed.
const logMemory = () => import('./log-memory.ts')
const entrySearch = () => import('./find-entry.ts')

const headQuery = queryOptions<OpenLog | null>({
  queryKey: ['draw-log', 'head'],
  queryFn: async ({ signal }) => (await (await logMemory()).openLog(signal)) ?? null,
})

/** The newest checkpoint, checked against what this browser remembers; null for none. */
export function useLogHead() {
  return useQuery(headQuery)
}

/** Forgets the log that this browser remembers, and looks at it anew. */
export function useStartAnew() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => (await logMemory()).forgetLog(),
    // A failure stands in the query, where the screen looks for it.
    onSuccess: () => queryClient.fetchQuery(headQuery).catch(() => undefined),
  })
}

/** Entries on one page of the log. */
export const drawLogRows = 20

/** The entries up to one, newest first; each is shown to lead to the checkpoint. */
export function useLogPage(log: OpenLog, end: number) {
  const { checkpoint } = log
  return useQuery<FoundEntry[]>({
    queryKey: ['draw-log', 'page', checkpoint.text, end],
    queryFn: async ({ signal }) => {
      const { provenEntries } = await entrySearch()
      const from = Math.max(0, end - drawLogRows)
      return (await provenEntries(log, from, end, signal)).toReversed()
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The key that proofs of the log are checked with, null when none can be had. */
export async function loadLogKey(signal: AbortSignal): Promise<VerifierKey | null> {
  return (await logMemory()).logKey(signal)
}

/** Whether the checkpoint of a proof belongs to the log that this browser remembers. */
export async function agreesWithRememberedLog(
  checkpoint: Checkpoint,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  return (await logMemory()).agreesWithMemory(checkpoint, signal)
}

/** Where the commitment to a server seed stands in the log; null when it does not. */
export async function findCommitment(
  serverSeedHash: string,
  onProgress: (seen: number) => void,
  signal: AbortSignal,
): Promise<FoundEntry | null> {
  const [{ openLog }, { commitmentTo, findEntry }] = await Promise.all([logMemory(), entrySearch()])
  const log = await openLog(signal)
  return log ? findEntry(log, commitmentTo(serverSeedHash), onProgress, signal) : null
}

/** Per pack type what was published and what the draws gave. */
export function useObserved() {
  return useQuery({
    ...endpointQuery(drawLogContract.observed, { shows: [], empty: { packTypes: [] } }),
    staleTime: 30_000,
  })
}
