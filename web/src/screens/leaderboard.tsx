// Who holds the most RedCoin: the podium and, page by page, everyone after it.

import { PageNumber } from '@redpack/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  rankingPageMax,
  usePodium,
  useRankingOnBalance,
} from '../features/ledger/leaderboard-queries.ts'
import { Podium } from '../features/ledger/podium.tsx'
import { RankingList } from '../features/ledger/ranking-list.tsx'
import { useSession } from '../features/session/queries.ts'
import { PageHeading } from '../ui/page-heading.tsx'

export function LeaderboardScreen() {
  const { user } = useSession()
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const podium = usePodium()
  useRankingOnBalance()

  const page = Math.min(PageNumber.parse(search.page), rankingPageMax)
  const openPage = (next: number) => {
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, page: next === 1 ? undefined : next }),
      resetScroll: false,
    })
  }
  const isEmpty = podium.data?.length === 0
  return (
    <div className="mx-auto max-w-4xl">
      <PageHeading title="Leaderboard" description="Who holds the most RedCoin" />
      <Podium ownUsername={user?.username} />
      {!isEmpty && <RankingList page={page} onPageChange={openPage} ownUsername={user?.username} />}
      <p className="mt-8 text-center text-sm text-muted">Rankings update in real time</p>
    </div>
  )
}
