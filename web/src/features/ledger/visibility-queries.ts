// The own place in the ranking, and staying out of it.

import { coinsContract, type OwnRank } from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { useRankingNews } from './leaderboard-queries.ts'

const ownRankQuery = endpointQuery(coinsContract.ownRank, {
  shows: ['leaderboard'],
  empty: { rank: null, redCoinBalance: 0, isHidden: false, neighbours: [] },
})

/** The caller's place with its neighbours; nobody's is not asked for. */
export function useOwnRank(isSignedIn = true) {
  const fresh = useRankingNews()
  return useQuery({
    ...ownRankQuery,
    ...fresh,
    enabled: isSignedIn,
  })
}

/** Hides the caller from everyone's ranking, or shows them again. */
export function useChangeVisibility() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (isHidden: boolean) => call(coinsContract.changeVisibility, { body: { isHidden } }),
    onSuccess: ({ isHidden }) =>
      queryClient.setQueryData<OwnRank>(
        ownRankQuery.queryKey,
        (own) => own && { ...own, isHidden },
      ),
  })
}
