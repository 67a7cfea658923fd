// What the fairness feature asks the server: seeds, openings, proofs and odds tables.

import {
  type ChangeClientSeedRequest,
  fairnessContract,
  fairnessPageDefault,
  type OddsTable,
  type RotateSeedsRequest,
  type SeedsResponse,
} from '@redpack/contract'
import {
  keepPreviousData,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from '../../lib/api.ts'

const seedsKey = [fairnessContract.seeds.path] as const

/** The caller's seeds as far as they are public. */
export function useSeeds() {
  return useQuery<SeedsResponse>({ queryKey: seedsKey })
}

export function useChangeClientSeed() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: ChangeClientSeedRequest) =>
      call(fairnessContract.changeClientSeed, { body }),
    onSuccess: (seeds) => queryClient.setQueryData<SeedsResponse>(seedsKey, seeds),
    // A refusal means that the nonce on screen was an old one.
    onError: () => queryClient.invalidateQueries({ queryKey: seedsKey }),
  })
}

/** Reveals the active server seed; openings and proofs then carry it. */
export function useRotateSeeds() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: RotateSeedsRequest) => call(fairnessContract.rotate, { body }),
    onSuccess: ({ active, next }) => {
      queryClient.setQueryData<SeedsResponse>(seedsKey, { active, next })
      for (const { path } of [fairnessContract.openings, fairnessContract.proof]) {
        queryClient.invalidateQueries({ queryKey: [path] }).catch(() => undefined)
      }
    },
  })
}

/** One page of the caller's openings; the page before stays until the next has come. */
export function useFairOpenings(page: number) {
  return useQuery({
    queryKey: [fairnessContract.openings.path, page],
    queryFn: ({ signal }) =>
      call(fairnessContract.openings, { query: { page, limit: fairnessPageDefault }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Everything needed to draw one opening again. */
export function useProof(openingId: number) {
  return useQuery({
    queryKey: [fairnessContract.proof.path, openingId],
    queryFn: ({ signal }) => call(fairnessContract.proof, { params: { id: openingId }, signal }),
  })
}

/** Names of prizes by table hash and prize id, as far as they are known; a table never changes. */
export function usePrizeNames(
  hashes: readonly string[],
): (hash: string, prizeId: number) => string {
  const tables = useQueries({
    queries: [...new Set(hashes)].map((hash) => ({
      queryKey: [fairnessContract.table.path, hash],
      queryFn: async ({ signal }: { signal: AbortSignal }) => ({
        hash,
        table: await call(fairnessContract.table, { params: { hash }, signal }),
      }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  })
  const known = new Map<string, OddsTable>()
  for (const { data } of tables) if (data) known.set(data.hash, data.table)
  return (hash, prizeId) =>
    known.get(hash)?.entries.find((entry) => entry.prizeId === prizeId)?.name ?? `Prize ${prizeId}`
}
