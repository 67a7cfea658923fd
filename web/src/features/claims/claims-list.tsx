// One page of the player's prizes of one kind, with its count and its pages.

import type { Claim } from '@redpack/contract'
import { PackageOpen, Trophy } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { askAgain, LoadErrorCard, Loading } from '../../ui/feedback/data-state.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { LinkButton } from '../../ui/form/link-button.tsx'
import { RefreshingDot } from '../../ui/layout/headings.tsx'
import { Pagination, usePageTurning } from '../../ui/table/pagination.tsx'
import { ClaimCard, ClaimCardSkeleton } from './claim-card.tsx'
import { type ClaimFilter, useClaims } from './queries.ts'

interface KindTexts {
  readonly title: string
  /** What is counted in the count line. */
  readonly counted: string
  readonly emptyTitle: string
  readonly emptyText: string
}

export const kindTexts: Readonly<Record<ClaimFilter, KindTexts>> = {
  physical: {
    title: 'Physical Prizes',
    counted: 'physical prizes',
    emptyTitle: 'No Physical Prizes Yet',
    emptyText: 'Open more packs to win hoodies, stickers, and other awesome prizes!',
  },
  redcoin: {
    title: 'RedCoin Prizes',
    counted: 'RedCoin prizes',
    emptyTitle: 'No RedCoin Prizes Yet',
    emptyText: 'Open packs to start earning RedCoin rewards!',
  },
}

const grid = 'grid list-none gap-4 p-0 md:grid-cols-2 xl:grid-cols-3'
/** Cards whose pictures are loaded at once, and cards shown while nothing is known. */
const firstCards = 3
const skeletonCards = ['a', 'b', 'c', 'd', 'e', 'f']

export interface ClaimsListProps {
  readonly filter: ClaimFilter
  readonly page: number
  /** `isCorrection` says that the page never existed, so that it leaves no trace in the history. */
  readonly onPageChange: (page: number, isCorrection?: boolean) => void
  /** Stands beside the heading: the choice of the kind. */
  readonly filterField: ReactNode
  /** Stands on each card: what can be done about the claim. */
  readonly renderAction: (claim: Claim) => ReactNode
}

export function ClaimsList(props: ClaimsListProps) {
  const { filter, page, onPageChange, filterField, renderAction } = props
  const claims = useClaims(filter, page)
  const { data, isPending, isPlaceholderData, isFetching, error } = claims
  const texts = kindTexts[filter]
  const shown = isPlaceholderData ? undefined : data?.pagination
  const { heading, turnTo } = usePageTurning(
    shown && `${texts.title}, page ${shown.page} of ${shown.totalPages}`,
    onPageChange,
  )
  useEffect(() => {
    if (!shown) return
    const { totalPages } = shown
    if (totalPages > 0 && shown.page > totalPages) onPageChange(totalPages, true)
  }, [shown, onPageChange])
  const isEmpty = data?.pagination.totalItems === 0
  return (
    <section aria-labelledby="claims-title">
      <div className="mb-5 flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0">
          <h2
            id="claims-title"
            ref={heading}
            tabIndex={-1}
            className="flex items-center gap-2 text-xl focus:outline-none"
          >
            {texts.title}
            <RefreshingDot isShown={isFetching && data !== undefined} />
          </h2>
          <p className="min-h-6 text-muted">
            {data &&
              `Showing ${formatNumber(data.claims.length)} of ${formatNumber(data.pagination.totalItems)} ${texts.counted}`}
          </p>
        </div>
        {filterField}
      </div>
      {isPending && (
        <Loading label="Loading your prizes" className={grid}>
          {skeletonCards.map((name) => (
            <ClaimCardSkeleton key={name} />
          ))}
        </Loading>
      )}
      {error && !data && (
        <LoadErrorCard
          title="Error loading your prizes"
          description="Please try refreshing the page"
          {...askAgain(claims)}
          error={`${error.message} (${error.cause instanceof Error ? error.cause.message : 'no answer'})`}
        />
      )}
      {isEmpty && <NoClaims texts={texts} />}
      {data && !isEmpty && (
        <ol className={grid}>
          {data.claims.map((claim, index) => (
            <li key={claim.id}>
              <ClaimCard claim={claim} isFirst={index < firstCards} action={renderAction(claim)} />
            </li>
          ))}
        </ol>
      )}
      {data && (
        <Pagination
          label="Prize pages"
          page={page}
          totalPages={data.pagination.totalPages}
          onPageChange={turnTo}
        />
      )}
    </section>
  )
}

function NoClaims({ texts }: { readonly texts: KindTexts }) {
  return (
    <div className="card on-card">
      <Empty
        picture={<Trophy aria-hidden="true" />}
        title={texts.emptyTitle}
        description={texts.emptyText}
        action={
          <LinkButton to="/inventory">
            <PackageOpen aria-hidden="true" />
            Open packs
          </LinkButton>
        }
      />
    </div>
  )
}
