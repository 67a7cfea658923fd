// The first three of the ranking: in order for readers, the first in the middle for the eye.

import type { LeaderboardEntry } from '@redpack/contract'
import { Crown } from 'lucide-react'
import { cn } from '../../lib/class-names.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { askAgain, LoadErrorCard, Loading, Skeleton } from '../../ui/feedback/data-state.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import { Amount } from './amount.tsx'
import { Coin } from './coin.tsx'
import { podiumFailure, podiumPlaces, usePodium } from './leaderboard-queries.ts'

interface Place {
  readonly ordinal: string
  /** Where it stands from 640 px on, and how high. */
  readonly stand: string
  /** Colour of the place, for the numeral and the edge. */
  readonly tone: string
}

const places: readonly Place[] = [
  {
    ordinal: '1st',
    stand: 'sm:order-2 sm:min-h-80 border-t-accent-graphic',
    tone: 'text-accent-text',
  },
  {
    ordinal: '2nd',
    stand: 'sm:order-1 sm:min-h-72 border-t-secondary-graphic',
    tone: 'text-secondary-text',
  },
  {
    ordinal: '3rd',
    stand: 'sm:order-3 sm:min-h-64 border-t-primary-graphic',
    tone: 'text-primary-text',
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
        description="The first RedCoin earned takes the first place."
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
        'sm:flex-col sm:justify-center sm:gap-2 sm:p-6 sm:text-center',
        place?.stand,
        isOwn && 'bg-raised',
      )}
    >
      <span
        className={cn(
          'grid min-w-12 flex-none justify-items-center font-display text-2xl font-bold sm:text-3xl',
          place?.tone,
        )}
      >
        {isFirst && <Crown aria-hidden="true" className="size-6 sm:size-9" />}
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
      {isOwn && <Badge tone="accent">You</Badge>}
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
