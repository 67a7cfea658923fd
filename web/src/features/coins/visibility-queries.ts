// The own place in the ranking, and staying out of it.

import { coinsContract, type OwnRank } from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { rankingPollMs } from './queries.ts'

/** Stands under the ranking's own key, so that whatever refreshes the one refreshes the other. */
const ownRankKey = [coinsContract.leaderboard.path, 'own'] as const

/** The caller's place with its neighbours. */
export function useOwnRank() {
  return useQuery({
    queryKey: ownRankKey,
    queryFn: ({ signal }) => call(coinsContract.ownRank, { signal }),
    refetchInterval: rankingPollMs,
    refetchOnWindowFocus: true,
  })
}

/** Hides the caller from everyone's ranking, or shows them again. */
export function useChangeVisibility() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (isHidden: boolean) => call(coinsContract.changeVisibility, { body: { isHidden } }),
    onSuccess: ({ isHidden }) => {
      queryClient.setQueryData<OwnRank>(ownRankKey, (own) => own && { ...own, isHidden })
      const queryKey = [coinsContract.leaderboard.path]
      queryClient.invalidateQueries({ queryKey }).catch(() => undefined)
    },
  })
}
