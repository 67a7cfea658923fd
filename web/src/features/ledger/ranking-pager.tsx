// Turns the pages of a list whose end is not known: a full page may be followed by another.

import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/form/button.tsx'
import { rankingPageMax, rankingPageSize } from './leaderboard-queries.ts'

export interface RankingPagerProps {
  readonly page: number
  /** Rows on the page that is open; 0 while they are not known. */
  readonly shownRows: number
  readonly onPageChange: (page: number) => void
}

export function RankingPager({ page, shownRows, onPageChange }: RankingPagerProps) {
  const hasNext = shownRows >= rankingPageSize && page < rankingPageMax
  return (
    <nav aria-label="Ranking pages" className="mt-4 flex items-center justify-between gap-2">
      <Button
        tone="secondary"
        disabled={page <= 1}
        onClick={() => onPageChange(page - 1)}
        className="max-[22.5rem]:px-3"
      >
        <ChevronLeft aria-hidden="true" />
        Previous
      </Button>
      <span
        aria-current="page"
        className="whitespace-nowrap font-display font-semibold tabular-nums"
      >
        Page {formatNumber(page)}
      </span>
      <Button
        tone="secondary"
        disabled={!hasNext}
        onClick={() => onPageChange(page + 1)}
        className="max-[22.5rem]:px-3"
      >
        Next
        <ChevronRight aria-hidden="true" />
      </Button>
    </nav>
  )
}
