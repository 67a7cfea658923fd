// The ranking from position 4 on, one page at a time.

import { askAgain, LoadErrorCard } from '../../ui/feedback/data-state.tsx'
import { RefreshingDot } from '../../ui/layout/headings.tsx'
import { usePageTurning } from '../../ui/table/pagination.tsx'
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
  const ranking = useRanking(page)
  const { data, isPending, isPlaceholderData, isFetching, error } = ranking
  const { heading, turnTo } = usePageTurning(
    data && !isPlaceholderData ? `Page ${data.page} of the ranking` : undefined,
    onPageChange,
  )
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
            {...askAgain(ranking)}
            error={error.cause ?? error}
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
