// The latest openings of the player.

import type { Opening } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { Trophy } from 'lucide-react'
import { formatMoment, formatSigned } from '../../lib/format.ts'
import { LoadError, Loading, Skeleton } from '../../ui/feedback/data-state.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { LinkButton } from '../../ui/form/link-button.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { RefreshingDot } from '../../ui/layout/headings.tsx'
import { latestOpenings, openingsQuery, recentOpeningsMax } from './stats-queries.ts'

export function RecentActivity() {
  const { data, isFetching } = useQuery(openingsQuery)
  return (
    <Card>
      <CardHeader
        title="Recent Activity"
        action={
          <span className="-my-2 -me-4 flex items-center gap-2">
            <RefreshingDot isShown={isFetching && data !== undefined} />
            <LinkButton tone="ghost" to="/history" search={{ view: 'openings' }}>
              View all
            </LinkButton>
          </span>
        }
      />
      {/* Room for the rows to come; a short list needs none. */}
      <div className={data && data.length > 0 ? undefined : 'min-h-90'}>
        <Activity />
      </div>
    </Card>
  )
}

function Activity() {
  const { data, error, refetch, isFetching } = useQuery(openingsQuery)
  if (data && data.length > 0) {
    return (
      <ul className="divide-y divide-line">
        {latestOpenings(data).map((opening) => (
          <Row key={opening.id} opening={opening} />
        ))}
      </ul>
    )
  }
  if (data !== undefined) return <NoActivity />
  if (error) {
    return (
      <LoadError
        title="Error loading your recent activity"
        error={error}
        isRetrying={isFetching}
        onRetry={() => {
          refetch().catch(() => undefined)
        }}
      />
    )
  }
  return <WaitingRows />
}

function Row({ opening }: { readonly opening: Opening }) {
  const { prize, packType, createdAt, redCoinEarned } = opening
  return (
    <li className="flex min-h-18 flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <span className="grid size-11 flex-none place-items-center rounded-control bg-raised">
        {prize ? (
          <Trophy aria-hidden="true" className="size-6 text-accent-text" />
        ) : (
          <img src="/art/redcoin.svg" alt="" width={24} height={24} className="size-6" />
        )}
      </span>
      <span className="min-w-0 flex-1 basis-24 wrap-anywhere">
        <span className="block font-semibold">
          {prize ? `Won: ${prize.name}` : 'No prize this time'}
        </span>
        <span className="block text-muted">
          From {packType.name}{' '}
          <span className="sm:whitespace-nowrap">- {formatMoment(createdAt)}</span>
        </span>
      </span>
      {redCoinEarned > 0 && (
        <span className="ms-auto flex-none text-end font-display font-semibold tabular-nums">
          {formatSigned(redCoinEarned)}{' '}
          <span className="text-sm text-muted max-sm:sr-only">RedCoin</span>
        </span>
      )}
    </li>
  )
}

function NoActivity() {
  return (
    <Empty
      picture={
        <img src="/art/empty-inventory.svg" alt="" width={200} height={150} className="h-auto" />
      }
      title="No recent activity. Start opening packs!"
      action={<LinkButton to="/inventory">Open Your First Pack</LinkButton>}
    />
  )
}

function WaitingRows() {
  return (
    <Loading label="Loading your recent activity">
      {Array.from({ length: recentOpeningsMax }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of nothing are told apart by place
        <div key={row} className="flex min-h-18 items-center gap-4 py-3">
          <Skeleton className="size-11" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-4 w-3/5" />
          </div>
        </div>
      ))}
    </Loading>
  )
}
