// Where the person who looks on stands, however far down the page that is.

import type { LeaderboardEntry } from '@redpack/contract'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { firstPositionOf, rankingPageSize } from './queries.ts'

export interface OwnPlaceProps {
  /** Everyone from the first place on, as far as it is known. */
  readonly everyone: readonly LeaderboardEntry[]
  readonly ownUsername: string | undefined
  /** Page that is open. */
  readonly page: number
  readonly onPageChange: (page: number) => void
}

/** Page of the list on which a position stands, 1 for the podium too. */
export function pageOfPosition(position: number): number {
  return Math.max(1, Math.ceil((position - firstPositionOf(1) + 1) / rankingPageSize))
}

/** Nothing for visitors, and nothing while the own place lies beyond what is known. */
export function OwnPlace({ everyone, ownUsername, page, onPageChange }: OwnPlaceProps) {
  const index = everyone.findIndex(({ username }) => username === ownUsername)
  if (index === -1) return null
  const ownPage = pageOfPosition(index + 1)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p>
        Your position: <strong className="tabular-nums">{formatNumber(index + 1)}</strong>
      </p>
      {ownPage !== page && (
        <Button tone="ghost" onClick={() => onPageChange(ownPage)}>
          Go to page {formatNumber(ownPage)}
        </Button>
      )}
    </div>
  )
}
