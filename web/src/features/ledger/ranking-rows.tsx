// The rows of one page of the ranking, all of one height.

import type { LeaderboardEntry } from '@redpack/contract'
import { cn } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Loading, Skeleton } from '../../ui/feedback/data-state.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import { Amount } from './amount.tsx'
import { Coin } from './coin.tsx'
import { firstPositionOf } from './leaderboard-queries.ts'

/** Rows shown while nothing is known yet. */
const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

const list = 'card on-card list-none divide-y divide-line overflow-hidden p-0'
const row = 'flex h-18 items-center gap-3 px-3 sm:gap-4 sm:px-5'

export interface RankingRowsProps {
  readonly entries: readonly LeaderboardEntry[]
  readonly page: number
  readonly ownUsername: string | undefined
}

export function RankingRows({ entries, page, ownUsername }: RankingRowsProps) {
  const first = firstPositionOf(page)
  if (entries.length === 0) {
    return (
      <p className="card on-card px-4 py-8 text-center text-muted">
        No one is ranked from position {formatNumber(first)} on.
      </p>
    )
  }
  return (
    <ol start={first} aria-label={`Ranking from position ${formatNumber(first)}`} className={list}>
      {entries.map((entry, index) => (
        <RankingRow
          key={entry.username}
          entry={entry}
          position={first + index}
          isOwn={entry.username === ownUsername}
        />
      ))}
    </ol>
  )
}

interface RankingRowProps {
  readonly entry: LeaderboardEntry
  readonly position: number
  readonly isOwn: boolean
}

function RankingRow({ entry, position, isOwn }: RankingRowProps) {
  return (
    <li
      aria-current={isOwn ? 'true' : undefined}
      className={cn(row, isOwn && 'bg-raised shadow-[inset_4px_0_0_var(--accent-graphic)]')}
    >
      <span className="min-w-9 flex-none text-end font-display font-semibold text-muted tabular-nums">
        {formatNumber(position)}
      </span>
      <Avatar name={entry.displayName} src={entry.avatar} className="max-sm:hidden" />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span title={entry.displayName} className="truncate font-semibold">
            {entry.displayName}
          </span>
          {isOwn && <Badge tone="secondary">You</Badge>}
        </span>
        <span className="block truncate text-sm text-muted">@{entry.username}</span>
      </span>
      <span className="flex flex-none items-center gap-1.5 font-display font-semibold">
        <Coin />
        <Amount amount={entry.redCoinBalance} isOwn={isOwn} />
        <span className="max-sm:sr-only">RedCoin</span>
      </span>
    </li>
  )
}

export function RankingSkeleton() {
  return (
    <Loading label="Loading the ranking" className={list}>
      {skeletonRows.map((name) => (
        <div key={name} className={row}>
          <Skeleton className="h-5 w-9 flex-none" />
          <Skeleton className="size-10 flex-none rounded-full max-sm:hidden" />
          <Skeleton className="h-5 max-w-56 flex-1" />
          <Skeleton className="ms-auto h-5 w-24 flex-none" />
        </div>
      ))}
    </Loading>
  )
}
