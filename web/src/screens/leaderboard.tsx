// Who holds the most RedCoin: the podium and, page by page, everyone after it.

import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  rankingPageMax,
  useOwnRank,
  usePodium,
  useRanking,
  useRankingOnBalance,
} from '../features/ledger/leaderboard-queries.ts'
import { Podium, PodiumSkeleton } from '../features/ledger/podium.tsx'
import { RankingList, RankingSkeleton } from '../features/ledger/ranking-list.tsx'
import { useSession } from '../features/session/queries.ts'
import { useOnceTrue } from '../lib/once-true.ts'
import { pageNumberOf } from '../lib/search-value.ts'
import { PageHeading } from '../ui/layout/headings.tsx'

export function LeaderboardScreen() {
  const { user, status } = useSession()
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const podium = usePodium()
  useRankingOnBalance()

  const page = Math.min(pageNumberOf(search.page), rankingPageMax)
  const openPage = (next: number) => {
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, page: next === 1 ? undefined : next }),
      resetScroll: false,
    })
  }
  const ranking = useRanking(page)
  const own = useOwnRank(user !== null)
  // The own place stands between podium and ranking, in a height that its answer decides; so all
  // three show together. A later failure of one hides none.
  const isWhole = useOnceTrue(
    !(podium.isPending || ranking.isPending || (user ? own.isPending : status === 'loading')),
  )
  const isEmpty = podium.data?.length === 0
  return (
    <>
      <PageHeading title="Leaderboard" description="Who holds the most RedCoin" />
      {!isWhole && (
        <>
          <PodiumSkeleton />
          <div className="mt-8">
            <RankingSkeleton />
          </div>
        </>
      )}
      <div hidden={!isWhole}>
        <Podium ownUsername={user?.username} />
        {!isEmpty && (
          <RankingList page={page} onPageChange={openPage} ownUsername={user?.username} />
        )}
      </div>
      <p className="mt-8 text-center text-sm text-muted">Rankings update in real time</p>
    </>
  )
}
