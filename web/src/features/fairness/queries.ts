// What the fairness feature asks the server: seeds, openings, proofs and odds tables.

import {
  type AnyOddsTable,
  type ChangeClientSeedRequest,
  fairnessContract,
  fairnessPageDefault,
  type SeedsResponse,
} from '@redpack/contract'
import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { call } from '../../lib/api.ts'
import { emptyPagination, endpointQuery } from '../../lib/endpoint-query.ts'
import { type Alarm, alarmStore, alarmsOf } from './alarm-queries.ts'
import {
  careFor,
  changeClientSeed,
  isSeedOfThisBrowser,
  loadSeeds,
  mixOwnSeed,
  rotateSeeds,
  type SeedCare,
} from './own-seeds.ts'

const seedsOf = (userId: number) =>
  endpointQuery(fairnessContract.seeds, {
    shows: ['seeds'],
    ask: (signal) => loadSeeds(userId, signal),
  })

/** The caller's seeds as far as they are public, compared with what this browser remembers. */
export function useSeeds(userId: number) {
  return useQuery(seedsOf(userId))
}

export function useChangeClientSeed(userId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ clientSeed }: ChangeClientSeedRequest) => changeClientSeed(userId, clientSeed),
    onSuccess: (seeds) => queryClient.setQueryData<SeedsResponse>(seedsOf(userId).queryKey, seeds),
  })
}

/** Reveals the active server seed; openings and proofs then carry it. */
export function useRotateSeeds(userId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (clientSeed: string) => rotateSeeds(userId, clientSeed),
    onSuccess: ({ active, next }) =>
      queryClient.setQueryData<SeedsResponse>(seedsOf(userId).queryKey, { active, next }),
  })
}

/** Seeds this old are asked for again before packs are opened with them. */
const seedsFreshMs = 60_000
/** Openings wait no longer for the client seed, in milliseconds. */
const seedCareMs = 5_000

/** What came of mixing a seed of this browser into the draws to come. */
export type OwnSeed = SeedCare | 'failed'

/**
 * Sees to it that the client seed of the next packs comes from the player's side. A failure is an
 * answer: packs can be opened all the same, with the server's stand-in.
 */
export async function ensureOwnSeed(queryClient: QueryClient, userId: number): Promise<OwnSeed> {
  const query = seedsOf(userId)
  const work = async () => {
    const known = await queryClient.fetchQuery<SeedsResponse>({ ...query, staleTime: seedsFreshMs })
    const { care, seeds } = await mixOwnSeed(userId, known)
    if (care !== 'nothing') queryClient.setQueryData<SeedsResponse>(query.queryKey, seeds)
    return care
  }
  const late = new Promise<OwnSeed>((resolve) => setTimeout(resolve, seedCareMs, 'failed'))
  return Promise.race([work().catch(() => 'failed' as const), late])
}

/** Mixes a seed in as soon as the seeds on screen lack one. */
export function useMixOwnSeed(userId: number, seeds: SeedsResponse | undefined) {
  const queryClient = useQueryClient()
  const pairId = seeds?.active.id
  return useQuery({
    queryKey: ['own-seed', userId, pairId],
    enabled: seeds !== undefined && careFor(seeds) === 'mixed',
    queryFn: () => ensureOwnSeed(queryClient, userId),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Whether the client seed of a pair was sent by this browser. */
export function useIsOwnSeed({ id, clientSeed }: SeedsResponse['active']): boolean {
  const { data } = useQuery({
    queryKey: ['is-own-seed', id, clientSeed],
    queryFn: () => isSeedOfThisBrowser(id),
  })
  return data === true
}

/** The alarms that concern a user, or a visitor who is null; newest last. */
export function useAlarms(userId: number | null): readonly Alarm[] {
  const alarms = useSyncExternalStore(alarmStore.subscribe, alarmStore.read)
  return useMemo(() => alarmsOf(alarms, userId), [alarms, userId])
}

/** One page of the caller's openings; the page before stays until the next has come. */
export function useFairOpenings(page: number) {
  return useQuery({
    ...endpointQuery(fairnessContract.openings, {
      shows: ['holdings', 'reveals'],
      key: [page],
      ask: (signal) =>
        call(fairnessContract.openings, { query: { page, limit: fairnessPageDefault }, signal }),
      empty: { openings: [], pagination: emptyPagination },
    }),
    placeholderData: keepPreviousData,
  })
}

/** Everything needed to draw one opening again. */
export function useProof(openingId: number) {
  return useQuery({
    ...endpointQuery(fairnessContract.proof, {
      shows: ['reveals'],
      key: [openingId],
      ask: (signal) => call(fairnessContract.proof, { params: { id: openingId }, signal }),
      isNeeded: true,
    }),
  })
}

/** Names of prizes by table hash and prize id, as far as they are known; a table never changes. */
export function usePrizeNames(
  hashes: readonly string[],
): (hash: string, prizeId: number) => string {
  const tables = useQueries({
    queries: [...new Set(hashes)].map((hash) => ({
      ...endpointQuery(fairnessContract.table, {
        shows: [],
        key: [hash],
        ask: async (signal) => ({
          hash,
          table: await call(fairnessContract.table, { params: { hash }, signal }),
        }),
      }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  })
  const known = new Map<string, AnyOddsTable>()
  for (const { data } of tables) if (data) known.set(data.hash, data.table)
  return (hash, prizeId) =>
    known.get(hash)?.entries.find((entry) => entry.prizeId === prizeId)?.name ?? `Prize ${prizeId}`
}
