// The ranking from position 4 on, one page at a time.

import type { LeaderboardEntry, OwnRank } from '@redpack/contract'
import { ChevronLeft, ChevronRight, EyeOff } from 'lucide-react'
import { useDeferredValue } from 'react'
import { cn } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { toastError } from '../../ui/feedback/outcome.ts'
import {
  askAgain,
  Badge,
  DataState,
  LoadErrorCard,
  Loading,
  Skeleton,
} from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { SwitchField } from '../../ui/form/toggle-fields.tsx'
import { RefreshingDot } from '../../ui/layout/section.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import { usePageTurning } from '../../ui/table/pagination.tsx'
import { Amount, Coin } from './coin.tsx'
import {
  entriesOfPage,
  firstPositionOf,
  podiumPlaces,
  rankingPageMax,
  rankingPageSize,
  useChangeVisibility,
  useOwnPosition,
  useOwnRank,
  useRanking,
} from './leaderboard-queries.ts'

interface PagingProps {
  /** Page of the ranking that is open. */
  readonly page: number
  readonly onPageChange: (page: number) => void
}

interface RankingListProps extends PagingProps {
  /** False while it waits, unseen, for what stands around it. */
  readonly isShown: boolean
  /** Username of the person who looks on. */
  readonly ownUsername: string | undefined
}

export function RankingList({ page, isShown, onPageChange, ownUsername }: RankingListProps) {
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
        {data && (
          <RankingRows
            key={data.page}
            entries={entries}
            page={data.page}
            isShown={isShown}
            ownUsername={ownUsername}
          />
        )}
        {error && !data && (
          <LoadErrorCard title="Failed to fetch leaderboard" {...askAgain(ranking)} />
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

// Turns the pages of a list whose end is not known: a full page may be followed by another.
interface RankingPagerProps extends PagingProps {
  /** Rows on the page that is open; 0 while they are not known. */
  readonly shownRows: number
}

function RankingPager({ page, shownRows, onPageChange }: RankingPagerProps) {
  const hasNext = shownRows >= rankingPageSize && page < rankingPageMax
  return (
    <nav
      aria-label="Ranking pages"
      className="mt-4 flex flex-wrap items-center justify-between gap-2"
    >
      <Button
        icon={ChevronLeft}
        tone="secondary"
        disabled={page <= 1}
        onClick={() => onPageChange(page - 1)}
        className="max-[22.5rem]:px-3"
      >
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
        <ChevronRight />
      </Button>
    </nav>
  )
}

/** Page of the list on which a position stands, 1 for the podium too. */
export function pageOfPosition(position: number): number {
  return Math.max(1, Math.ceil((position - firstPositionOf(1) + 1) / rankingPageSize))
}

/** For somebody who is signed in. */
function OwnPlace({ page, onPageChange }: PagingProps) {
  const ownRank = useOwnRank()
  return (
    <section aria-labelledby="own-place-title" className="card on-card mt-8 p-4 sm:p-6">
      <h2 id="own-place-title" className="text-xl">
        Your place
      </h2>
      <DataState
        query={ownRank}
        what="your place"
        title="Your place could not be loaded"
        skeleton={['h-6 w-40', 'h-40']}
        className="mt-3 grid gap-3"
        isBrief
      >
        {(own) => <Place own={own} page={page} onPageChange={onPageChange} />}
      </DataState>
    </section>
  )
}

function Place({ own, page, onPageChange }: PagingProps & { readonly own: OwnRank }) {
  const ownPage = own.rank === null || own.rank <= podiumPlaces ? page : pageOfPosition(own.rank)
  const isInSight = ownPage === page && !own.isHidden
  return (
    <>
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
        <p>{placeText(own)}</p>
        {ownPage !== page && ownPage <= rankingPageMax && !own.isHidden && (
          <Button tone="ghost" onClick={() => onPageChange(ownPage)}>
            Go to page {formatNumber(ownPage)}
          </Button>
        )}
      </div>
      {!isInSight && own.neighbours.length > 0 && (
        <ol
          aria-label="Places around yours"
          className="mt-3 list-none divide-y divide-line overflow-hidden rounded-control border border-line p-0"
        >
          {own.neighbours.map((neighbour) => (
            <RankingRow
              key={neighbour.isSelf ? 'self' : neighbour.rank}
              entry={neighbour}
              position={neighbour.rank}
              isOwn={neighbour.isSelf}
              isNarrow
              isHidden={neighbour.isSelf && own.isHidden}
            />
          ))}
        </ol>
      )}
      <HideSwitch isHidden={own.isHidden} />
    </>
  )
}

function placeText({ rank, redCoinBalance, isHidden }: OwnRank) {
  if (rank === null) {
    return redCoinBalance > 0
      ? 'This account is not ranked.'
      : 'You are not ranked yet. Earn RedCoin to join the ranking.'
  }
  const place = <strong className="tabular-nums">{formatNumber(rank)}</strong>
  if (isHidden) return <>You are hidden. Your position would be: {place}</>
  return <>Your position: {place}</>
}

function HideSwitch({ isHidden }: { readonly isHidden: boolean }) {
  const change = useChangeVisibility()
  const onChange = (next: boolean) =>
    change.mutate(next, {
      onError: (error) => toastError(error, 'Your choice could not be saved'),
    })
  return (
    <div className="mt-4 border-t border-line pt-4">
      <SwitchField
        label="Hide me from the leaderboard"
        hint="Removes you from the public ranking. Your RedCoin does not change."
        isOn={change.isPending ? change.variables : isHidden}
        onChange={onChange}
        disabled={change.isPending}
      />
    </div>
  )
}

/** Rows shown while nothing is known yet. */
const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

const list = 'card on-card list-none divide-y divide-line overflow-hidden p-0'
const row = 'flex h-18 items-center gap-3 px-3 sm:gap-4 sm:px-5'

interface RankingRowsProps extends Omit<RankingListProps, 'onPageChange'> {
  readonly entries: readonly LeaderboardEntry[]
}

/** Rows that a screen shows at first; the others follow in slices, so that a press is heard. */
const firstRows = 10

function RankingRows({ entries, page, isShown, ownUsername }: RankingRowsProps) {
  const first = firstPositionOf(page)
  const ownPosition = useOwnPosition(ownUsername !== undefined)
  const begun = entries.slice(0, firstRows)
  const shown = useDeferredValue(isShown ? entries : begun, begun)
  if (entries.length === 0) {
    return (
      <p className="card on-card px-4 py-8 text-center text-muted">
        No one is ranked at position {formatNumber(first)} or below.
      </p>
    )
  }
  return (
    <ol start={first} aria-label={`Ranking from position ${formatNumber(first)}`} className={list}>
      {shown.map((entry, index) => {
        const position = first + index
        return (
          <RankingRow
            key={position}
            entry={entry}
            position={position}
            isOwn={position === ownPosition}
            isMasked={entry.username === ownUsername}
          />
        )
      })}
    </ol>
  )
}

interface RankingRowProps {
  readonly entry: LeaderboardEntry
  readonly position: number
  readonly isOwn: boolean
  /** True where the balance may be one's own, before the own place is known or known anew. */
  readonly isMasked?: boolean
  /** True among the places around one's own, which have less room. */
  readonly isNarrow?: boolean
  readonly isHidden?: boolean
}

function RankingRow(props: RankingRowProps) {
  const { entry, position, isOwn, isMasked = false, isNarrow = false, isHidden = false } = props
  const { displayName, username, avatar, redCoinBalance } = entry
  return (
    <li
      aria-current={isOwn ? 'true' : undefined}
      className={cn(
        isNarrow ? 'flex min-h-14 items-center gap-3 px-3 py-2' : row,
        isOwn && 'bg-raised shadow-[inset_4px_0_0_var(--accent-graphic)]',
      )}
    >
      <span
        className={cn(
          'flex-none text-end font-display font-semibold text-muted tabular-nums',
          isNarrow ? 'min-w-8' : 'min-w-9',
        )}
      >
        {formatNumber(position)}
      </span>
      <Avatar name={displayName} src={avatar} className="max-sm:hidden" />
      <span className="min-w-0 flex-1">
        <span className={cn('flex items-center gap-x-2', isNarrow && 'flex-wrap')}>
          <span dir="auto" title={displayName} className="truncate font-semibold">
            {displayName}
          </span>
          {isOwn && <Badge tone="secondary">You</Badge>}
          {isHidden && <Badge icon={<EyeOff />}>Only you see this</Badge>}
        </span>
        <span className="block truncate text-sm text-muted">@{username}</span>
      </span>
      <span className="flex max-w-1/2 flex-none items-center gap-1.5 font-display font-semibold">
        <Coin className={isNarrow ? 'max-[22.5rem]:hidden' : undefined} />
        <span className="min-w-0 text-end">
          <Amount amount={redCoinBalance} isOwn={isOwn || isMasked} />
        </span>
        <span className={isNarrow ? 'sr-only' : 'max-sm:sr-only'}>RedCoin</span>
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
