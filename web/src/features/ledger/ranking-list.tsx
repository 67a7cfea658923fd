// The ranking from position 4 on, one page at a time.

import { useEffect, useRef } from 'react'
import { announce } from '../../ui/live-region.tsx'
import { LoadErrorCard } from '../../ui/load-error.tsx'
import { RefreshingDot } from '../../ui/refreshing-dot.tsx'
import { entriesOfPage, rankingFailure, useRanking } from './leaderboard-queries.ts'
import { OwnPlace } from './own-place.tsx'
import { RankingPager } from './ranking-pager.tsx'
import { RankingRows, RankingSkeleton } from './ranking-rows.tsx'

export interface RankingListProps {
  readonly page: number
  readonly onPageChange: (page: number) => void
  /** Username of the person who looks on, to mark the own row. */
  readonly ownUsername: string | undefined
}

export function RankingList({ page, onPageChange, ownUsername }: RankingListProps) {
  const { data, isPending, isPlaceholderData, isFetching, error, refetch } = useRanking(page)
  const heading = useRef<HTMLHeadingElement>(null)
  const isTurning = useRef(false)
  const shownPage = data?.page

  useEffect(() => {
    if (!isTurning.current || shownPage === undefined || isPlaceholderData) return
    isTurning.current = false
    heading.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
    announce(`Page ${shownPage} of the ranking`)
  }, [shownPage, isPlaceholderData])

  const turnTo = (next: number) => {
    isTurning.current = true
    onPageChange(next)
  }
  const entries = data ? entriesOfPage(data.everyone, data.page) : []
  return (
    <>
      {ownUsername !== undefined && <OwnPlace page={page} onPageChange={turnTo} />}
      <section aria-labelledby="ranking-title" className="mt-8">
        <h2
          id="ranking-title"
          ref={heading}
          tabIndex={-1}
          className="mb-3 flex min-h-11 items-center gap-2 text-xl focus:outline-none"
        >
          Ranking
          <RefreshingDot isShown={isFetching && data !== undefined} />
        </h2>
        {isPending && <RankingSkeleton />}
        {data && <RankingRows entries={entries} page={data.page} ownUsername={ownUsername} />}
        {error && !data && (
          <LoadErrorCard
            title={rankingFailure}
            error={error.cause ?? error}
            onRetry={() => void refetch()}
            isRetrying={isFetching}
          />
        )}
        <RankingPager
          page={page}
          shownRows={isPlaceholderData ? 0 : entries.length}
          onPageChange={turnTo}
        />
      </section>
    </>
  )
}
