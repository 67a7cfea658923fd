// Who holds the most RedCoin: the podium and, page by page, everyone after it.

import type { LeaderboardEntry } from '@redpack/contract'
import { Crown } from 'lucide-react'
import { Amount, Coin } from '../features/ledger/coin.tsx'
import {
  podiumPlaces,
  rankingPageMax,
  useOwnPosition,
  useOwnRank,
  usePodium,
  useRanking,
  useRankingOnBalance,
} from '../features/ledger/leaderboard-queries.ts'
import { RankingList, RankingSkeleton } from '../features/ledger/ranking-list.tsx'
import { useSession } from '../features/session/queries.ts'
import { cn } from '../lib/class-names.ts'
import { useOnceTrue } from '../lib/once-true.ts'
import { askAgain, Badge, Empty, LoadErrorCard, Loading, Skeleton } from '../ui/feedback/state.tsx'
import { PageHeading } from '../ui/layout/section.tsx'
import { Avatar } from '../ui/media/avatar.tsx'
import { useTableView } from '../ui/table/table-view.ts'

interface Place {
  readonly ordinal: string
  /** Where it stands from 640 px on, how high while it loads, and the edge in its metal. */
  readonly stand: string
  /** The plate of the numeral, in its metal. */
  readonly medal: string
}

const places: readonly Place[] = [
  { ordinal: '1st', stand: 'sm:order-2 border-t-[#e8b923]', medal: 'bg-[#e8b923]' },
  { ordinal: '2nd', stand: 'sm:order-1 border-t-[#b8c0cc]', medal: 'bg-[#b8c0cc]' },
  { ordinal: '3rd', stand: 'sm:order-3 border-t-[#cd7f32]', medal: 'bg-[#cd7f32]' },
]

const grid = 'grid list-none gap-3 p-0 sm:grid-cols-3 sm:items-end sm:gap-4'

interface PodiumProps {
  /** Username of the person who looks on. */
  readonly ownUsername: string | undefined
}

function Podium({ ownUsername }: PodiumProps) {
  const podium = usePodium()
  const ownPosition = useOwnPosition(ownUsername !== undefined)
  const { data, isPending } = podium
  if (data && data.length === 0) {
    return (
      <Empty
        picture={<Crown />}
        title="No Rankings Yet"
        description="Be the first to earn RedCoin."
      />
    )
  }
  if (data) {
    return (
      <ol aria-label="Top 3" className={cn(grid, 'enter-stagger')}>
        {data.slice(0, podiumPlaces).map((entry, index) => (
          <PodiumPlace
            key={places[index]?.ordinal}
            entry={entry}
            place={places[index]}
            isOwn={index + 1 === ownPosition}
            isMasked={entry.username === ownUsername}
          />
        ))}
      </ol>
    )
  }
  if (isPending) return <PodiumSkeleton />
  return <LoadErrorCard title="Failed to fetch top 3" {...askAgain(podium)} />
}

interface PodiumPlaceProps {
  readonly entry: LeaderboardEntry
  readonly place: Place | undefined
  readonly isOwn: boolean
  readonly isMasked: boolean
}

function PodiumPlace({ entry, place, isOwn, isMasked }: PodiumPlaceProps) {
  const isFirst = place === places[0]
  return (
    <li
      aria-current={isOwn ? 'true' : undefined}
      className={cn(
        'card on-card relative flex items-center gap-3 border-t-4 p-4',
        'sm:flex-col sm:gap-2 sm:p-6 sm:text-center',
        place?.stand,
        isOwn && 'bg-raised',
      )}
    >
      <span
        className={cn(
          'flex min-w-16 flex-none items-center justify-center gap-1 rounded-full px-3 font-display text-lg font-bold text-[#1a1a2e]',
          place?.medal,
        )}
      >
        {isFirst && <Crown className="size-5 max-sm:hidden" />}
        {place?.ordinal}
      </span>
      <Avatar
        name={entry.displayName}
        src={entry.avatar}
        className={cn('size-12 max-[22.5rem]:hidden', isFirst ? 'sm:size-20' : 'sm:size-16')}
      />
      <div className="min-w-0 flex-1 sm:w-full sm:flex-none">
        <p
          dir="auto"
          title={entry.displayName}
          className="truncate font-display text-lg font-semibold max-sm:text-left"
        >
          {entry.displayName}
        </p>
        <p className="truncate text-sm text-muted">@{entry.username}</p>
        <p className="mt-1 flex items-center gap-1.5 font-display font-semibold sm:justify-center">
          <Coin />
          <span>
            <Amount amount={entry.redCoinBalance} isOwn={isOwn || isMasked} />{' '}
            <span className="max-sm:sr-only">RedCoin</span>
          </span>
        </p>
      </div>
      {isOwn && (
        // In the corner from 640 px on: a line of its own would lift the third above the first.
        <Badge tone="secondary" className="sm:absolute sm:end-4 sm:top-4">
          You
        </Badge>
      )}
    </li>
  )
}

function PodiumSkeleton() {
  return (
    <Loading label="Loading the top 3" className={grid}>
      {places.map(({ ordinal, stand }) => (
        <Skeleton
          key={ordinal}
          className={cn('h-28 rounded-card border-t-4 border-t-transparent', stand)}
        />
      ))}
    </Loading>
  )
}

const viewDefaults = {}

export function LeaderboardScreen() {
  const { user, status } = useSession()
  const podium = usePodium()
  useRankingOnBalance()

  const [view, changeView] = useTableView(viewDefaults)
  const page = Math.min(view.page, rankingPageMax)
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
          <RankingList
            page={page}
            isShown={isWhole}
            onPageChange={(next) => changeView({ page: next })}
            ownUsername={user?.username}
          />
        )}
      </div>
      <p className="mt-8 text-center text-sm text-muted">Rankings update in real time</p>
    </>
  )
}
