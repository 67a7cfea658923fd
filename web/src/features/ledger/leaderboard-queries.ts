// What the coins feature asks the server: the ranking, and the balance that displays show.

import {
  coinsContract,
  type LeaderboardEntry,
  leaderboardMax,
  type OwnRank,
} from '@redpack/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../lib/api.ts'
import { changedTopics } from '../../lib/changed-topics.ts'
import { answerOr, endpointQuery, useEndpoint } from '../../lib/endpoint-query.ts'
import { usePollWithoutSocket } from '../../lib/realtime.ts'
import { useAct } from '../../lib/use-call.ts'
import { onBalance } from '../session/balance-queries.ts'

/** Places on the podium, shown apart from the list. */
export const podiumPlaces = 3
export const rankingPageSize = 50
/** Last page whose positions the server still answers. */
export const rankingPageMax = Math.floor((leaderboardMax - podiumPlaces) / rankingPageSize)
/** How often an open ranking asks for news without a socket, in milliseconds. */
export const rankingPollMs = 30_000

/** The position that a page of the list starts with: 4, 54, 104 … */
export function firstPositionOf(page: number): number {
  return (page - 1) * rankingPageSize + podiumPlaces + 1
}

/** How many entries reach to the end of a page of the list. */
export function limitOf(page: number): number {
  return page * rankingPageSize + podiumPlaces
}

/** The `limit` highest balances. */
async function fetchRanking(limit: number, signal: AbortSignal) {
  const entries = answerOr([], await call(coinsContract.leaderboard, { query: { limit }, signal }))
  // An entry without a balance has 0.
  return entries.map((entry) => ({ ...entry, redCoinBalance: entry.redCoinBalance ?? 0 }))
}

/** Rankings are polled only while the socket does not say when they have changed. */
function useRankingNews() {
  return { refetchInterval: usePollWithoutSocket(rankingPollMs), refetchOnWindowFocus: true }
}

/** The first three. */
export function usePodium() {
  const fresh = useRankingNews()
  return useEndpoint(coinsContract.leaderboard, {
    shows: ['leaderboard'],
    key: [podiumPlaces],
    ask: (signal) => fetchRanking(podiumPlaces, signal),
    ...fresh,
  })
}

/** Everyone down to the end of a page, with that page; the one before stays until it has come. */
export function useRanking(page: number) {
  const fresh = useRankingNews()
  return useEndpoint(coinsContract.leaderboard, {
    shows: ['leaderboard'],
    key: [limitOf(page)],
    ask: async (signal) => ({
      page,
      everyone: await fetchRanking(limitOf(page), signal),
    }),
    placeholderData: keepPreviousData,
    ...fresh,
  })
}

/** The entries of one page out of the whole list. */
export function entriesOfPage(
  entries: readonly LeaderboardEntry[],
  page: number,
): readonly LeaderboardEntry[] {
  return entries.slice(firstPositionOf(page) - 1, limitOf(page))
}

/** Asks for the rankings again after each announced change of a balance. */
export function useRankingOnBalance(): void {
  useEffect(() => onBalance(() => changedTopics.announce(['leaderboard'], 'call')), [])
}

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

/** Where the caller's row is in everyone's ranking: a name may be shown of two people. */
export function useOwnPosition(isSignedIn: boolean) {
  const { data } = useOwnRank(isSignedIn)
  return data?.isHidden ? null : data?.rank
}

/** Hides the caller from everyone's ranking, or shows them again. */
export function useChangeVisibility() {
  const queryClient = useQueryClient()
  return useAct({
    mutationFn: (isHidden: boolean) => call(coinsContract.changeVisibility, { body: { isHidden } }),
    onSuccess: ({ isHidden }) =>
      queryClient.setQueryData<OwnRank>(
        ownRankQuery.queryKey,
        (own) => own && { ...own, isHidden },
      ),
  })
}
