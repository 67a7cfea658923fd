// Pages of a list: Previous, up to five numbers around the current page, Next.

import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { cn } from '../../lib/class-names.ts'
import { announce } from '../feedback/live-region.tsx'
import { Button } from '../form/button.tsx'

/** How many page numbers are shown at most. */
const pageButtonsMax = 5

/** The page numbers to show: five around the current page, moved inwards at both ends. */
export function pagesAround(page: number, totalPages: number): number[] {
  const count = Math.min(pageButtonsMax, totalPages)
  const centred = page - Math.floor(pageButtonsMax / 2)
  const first = Math.max(1, Math.min(centred, totalPages - count + 1))
  return Array.from({ length: count }, (_, index) => first + index)
}

/** On a phone the buttons share one line. */
const narrow = 'max-sm:min-w-0 max-sm:max-w-14 max-sm:flex-[1_1_1.75rem] max-sm:px-1'

export interface PaginationProps {
  /** What is paged, for example 'Prize pages'. */
  readonly label: string
  readonly page: number
  readonly totalPages: number
  readonly onPageChange: (page: number) => void
}

/** Nothing when there is only one page. */
export function Pagination({ label, page, totalPages, onPageChange }: PaginationProps) {
  if (totalPages <= 1) return null
  return (
    <nav
      aria-label={label}
      className="mt-6 flex flex-wrap items-center justify-center gap-1 sm:gap-2"
    >
      <Button
        icon={ChevronLeft}
        tone="secondary"
        isOff={page <= 1}
        onClick={() => onPageChange(page - 1)}
        className={narrow}
      >
        <span className="max-sm:sr-only">Previous</span>
      </Button>
      {pagesAround(page, totalPages).map((number) => (
        <Button
          key={number}
          tone="ghost"
          aria-label={`Page ${number}`}
          aria-current={number === page ? 'page' : undefined}
          onClick={() => {
            if (number !== page) onPageChange(number)
          }}
          className={cn(narrow, 'tabular-nums sm:min-w-11 sm:px-3')}
        >
          {number}
        </Button>
      ))}
      <Button
        tone="secondary"
        isOff={page >= totalPages}
        onClick={() => onPageChange(page + 1)}
        className={narrow}
      >
        <span className="max-sm:sr-only">Next</span>
        <ChevronRight />
      </Button>
    </nav>
  )
}

/** Leads from a page that is no longer there to the last one; 0 stands for not known how many. */
export function useLastPage(
  page: number,
  totalPages: number,
  onPageChange: (page: number) => void,
) {
  const turnBack = useEffectEvent(() => onPageChange(totalPages))
  useEffect(() => {
    if (totalPages > 0 && page > totalPages) turnBack()
  }, [page, totalPages])
}

/**
 * `said` is what is announced of the page that stands there, undefined while another one's rows
 * stand in. @returns the heading that readers are taken to, and what turns the page
 */
export function usePageTurning<Page>(said: string | undefined, onPageChange: (page: Page) => void) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isTurning = useRef(false)
  useEffect(() => {
    if (!isTurning.current || said === undefined) return
    isTurning.current = false
    heading.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
    announce(said)
  }, [said])
  const turnTo = (page: Page) => {
    isTurning.current = true
    onPageChange(page)
  }
  return { heading, turnTo }
}
