// The first three of the ranking: in order for readers, the first in the middle for the eye.

import type { LeaderboardEntry } from '@redpack/contract'
import { Crown } from 'lucide-react'
import { cn } from '../../lib/class-names.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { askAgain, LoadErrorCard, Loading, Skeleton } from '../../ui/feedback/data-state.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import { Amount, Coin } from './coin.tsx'
import { podiumFailure, podiumPlaces, usePodium } from './leaderboard-queries.ts'

interface Place {
  readonly ordinal: string
  /** Where it stands from 640 px on, how high while it loads, and the edge in its metal. */
  readonly stand: string
  /** The plate of the numeral, in its metal. */
  readonly medal: string
}

const places: readonly Place[] = [
  {
    ordinal: '1st',
    stand: 'sm:order-2 border-t-[#e8b923]',
    medal: 'bg-[#e8b923]',
  },
  {
    ordinal: '2nd',
    stand: 'sm:order-1 border-t-[#b8c0cc]',
    medal: 'bg-[#b8c0cc]',
  },
  {
    ordinal: '3rd',
    stand: 'sm:order-3 border-t-[#cd7f32]',
    medal: 'bg-[#cd7f32]',
  },
]

const grid = 'grid list-none gap-3 p-0 sm:grid-cols-3 sm:items-end sm:gap-4'

export interface PodiumProps {
  /** Username of the person who looks on, to mark the own place. */
  readonly ownUsername: string | undefined
}

export function Podium({ ownUsername }: PodiumProps) {
  const podium = usePodium()
  const { data, isPending, error } = podium
  if (data && data.length === 0) {
    return (
      <Empty
        picture={<Crown aria-hidden="true" />}
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
            key={entry.username}
            entry={entry}
            place={places[index]}
            isOwn={entry.username === ownUsername}
          />
        ))}
      </ol>
    )
  }
  if (isPending) return <PodiumSkeleton />
  return <LoadErrorCard title={podiumFailure} {...askAgain(podium)} error={error.cause ?? error} />
}

interface PodiumPlaceProps {
  readonly entry: LeaderboardEntry
  readonly place: Place | undefined
  readonly isOwn: boolean
}

function PodiumPlace({ entry, place, isOwn }: PodiumPlaceProps) {
  const isFirst = place === places[0]
  return (
    <li
      aria-current={isOwn ? 'true' : undefined}
      className={cn(
        'card on-card flex min-w-0 items-center gap-3 border-t-4 p-4',
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
        {isFirst && <Crown aria-hidden="true" className="size-5 max-sm:hidden" />}
        {place?.ordinal}
      </span>
      <Avatar
        name={entry.displayName}
        src={entry.avatar}
        className={cn('size-12', isFirst ? 'sm:size-20' : 'sm:size-16')}
      />
      <div className="min-w-0 flex-1 sm:w-full sm:flex-none">
        <p title={entry.displayName} className="truncate font-display text-lg font-semibold">
          {entry.displayName}
        </p>
        <p className="truncate text-sm text-muted">@{entry.username}</p>
        <p className="mt-1 flex items-center gap-1.5 font-display font-semibold sm:justify-center">
          <Coin />
          <span>
            <Amount amount={entry.redCoinBalance} isOwn={isOwn} />{' '}
            <span className="max-sm:sr-only">RedCoin</span>
          </span>
        </p>
      </div>
      {isOwn && <Badge tone="secondary">You</Badge>}
    </li>
  )
}

export function PodiumSkeleton() {
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
