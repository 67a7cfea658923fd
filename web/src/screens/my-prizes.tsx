// The prizes a player has won: the filter and the page stand in the address.

import { type Claim, ClaimsQuery, shipmentsContract } from '@redpack/contract'
import { HandHeart, KeyRound, PackageCheck, PackageOpen, Trophy } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { DeliveryDetails } from '../features/claims/delivery-details.tsx'
import { type ClaimFilter, useClaims } from '../features/claims/queries.ts'
import {
  ClaimInstructions,
  ClaimTimeline,
  StatusBadge,
} from '../features/claims/shared/claim-parts.tsx'
import { CarriageLine, isCarried, stateWords } from '../features/claims/ship-words.tsx'
import { BalanceCard } from '../features/ledger/coin.tsx'
import { CardImage } from '../features/packs/shared/card-image.tsx'
import { TermsLine } from '../features/packs/shared/terms-line.tsx'
import { useEndpoint } from '../lib/endpoint-query.ts'
import { formatDate, formatDateTime, formatNumber, formatRedCoin } from '../lib/format.ts'
import { useCall } from '../lib/use-call.ts'
import { reportOutcome } from '../ui/feedback/outcome.ts'
import { DataState, Empty, Skeleton } from '../ui/feedback/state.tsx'
import { Button, LinkButton } from '../ui/form/button.tsx'
import { CopyButton } from '../ui/form/copy-button.tsx'
import { SelectField } from '../ui/form/select-field.tsx'
import { PageHeading, RefreshingDot } from '../ui/layout/section.tsx'
import { Masked } from '../ui/media/masked.tsx'
import { Moment } from '../ui/media/moment.tsx'
import { useQuestion } from '../ui/overlay/question.tsx'
import { Pagination, useLastPage, usePageTurning } from '../ui/table/pagination.tsx'
import { useTableView } from '../ui/table/table-view.ts'

interface KindTexts {
  readonly title: string
  readonly counted: string
  readonly emptyTitle: string
  readonly emptyText: string
}

const kindTexts: Readonly<Record<ClaimFilter, KindTexts>> = {
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

const grid = 'grid list-none grid-cols-1 gap-4 p-0 md:grid-cols-2 xl:grid-cols-3'
/** Cards whose pictures are loaded at once. */
const firstCards = 3

interface ClaimsListProps {
  readonly filter: ClaimFilter
  readonly page: number
  /** `isCorrection` says that the page never existed, so that it leaves no trace in the history. */
  readonly onPageChange: (page: number, isCorrection?: boolean) => void
  /** Stands beside the heading: the choice of the kind. */
  readonly filterField: ReactNode
}

function ClaimsList(props: ClaimsListProps) {
  const { filter, page, onPageChange, filterField } = props
  const claims = useClaims(filter, page)
  const { data, isPlaceholderData, isFetching } = claims
  const texts = kindTexts[filter]
  const shown = isPlaceholderData ? undefined : data?.pagination
  const { heading, turnTo } = usePageTurning(
    shown && `${texts.title}, page ${shown.page} of ${shown.totalPages}`,
    onPageChange,
  )
  useLastPage(shown?.page ?? 1, shown?.totalPages ?? 0, (last) => onPageChange(last, true))
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
      <DataState
        query={claims}
        what="your prizes"
        description="Please try refreshing the page"
        skeleton={Array(6).fill(<ClaimCardSkeleton />)}
        className={grid}
        isOnPage
        isBrief
      >
        {({ claims: rows, pagination }) => (
          <>
            {pagination.totalItems === 0 ? (
              <NoClaims texts={texts} />
            ) : (
              <ol className={grid}>
                {rows.map((claim, index) => (
                  <li key={claim.id}>
                    <ClaimCard claim={claim} isFirst={index < firstCards} />
                  </li>
                ))}
              </ol>
            )}
            <Pagination
              label="Prize pages"
              page={page}
              totalPages={pagination.totalPages}
              onPageChange={turnTo}
            />
          </>
        )}
      </DataState>
    </section>
  )
}

function NoClaims({ texts }: { readonly texts: KindTexts }) {
  return (
    <div className="card on-card">
      <Empty
        picture={<Trophy />}
        title={texts.emptyTitle}
        description={texts.emptyText}
        action={
          <LinkButton icon={PackageOpen} to="/inventory">
            Open packs
          </LinkButton>
        }
      />
    </div>
  )
}

const shape = 'card on-card flex h-full flex-col gap-4 p-4'
const picture = 'aspect-square w-24 flex-none self-start sm:w-28'

interface ClaimCardProps {
  readonly claim: Claim
  /** True for the first cards of the page: their pictures are loaded at once. */
  readonly isFirst: boolean
}

function ClaimCard({ claim, isFirst }: ClaimCardProps) {
  const { prize } = claim
  const isRedCoin = prize.redCoinAmount > 0
  const isCompleted = claim.status === 'completed'
  const isGivenUp = ['declined', 'lapsed'].includes(claim.shipment?.state ?? '')
  const deliveredAt =
    isCompleted && !isRedCoin && !isGivenUp
      ? claim.timeline?.findLast(({ status }) => status === 'completed')?.at
      : undefined
  return (
    <article aria-labelledby={`claim-${claim.id}`} className={shape}>
      <div className="flex min-w-0 gap-4">
        <CardImage
          imageUrl={prize.imageUrl}
          imageData={prize.imageData}
          imageType={prize.imageType}
          fallback={isRedCoin ? coinPicture : trophyPicture}
          color={isRedCoin ? coinPlate : trophyPlate}
          isFirst={isFirst}
          className={picture}
        />
        <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
          <StatusBadge status={claim.status} />
          <h3 id={`claim-${claim.id}`} className="max-w-full text-lg break-words">
            {prize.name}
          </h3>
          {isRedCoin && (
            <p className="font-display font-semibold text-accent-text">
              {formatRedCoin(prize.redCoinAmount)}
            </p>
          )}
          <p className="text-sm text-muted">
            Won <Moment at={claim.createdAt} />
            {deliveredAt !== undefined && (
              <span className="block">
                Delivered <Moment at={deliveredAt} />
              </span>
            )}
          </p>
        </div>
      </div>
      {!isRedCoin && !isGivenUp && prize.claimInstructions.trim() !== '' && (
        <ClaimInstructions text={prize.claimInstructions} />
      )}
      <ShipmentOfClaim claim={claim} />
      {claim.timeline && <ClaimTimeline steps={claim.timeline} />}
      <ClaimId claimId={claim.claimId} />
    </article>
  )
}

function ClaimId({ claimId }: { readonly claimId: string }) {
  return (
    <div className="mt-auto flex min-h-14 items-center gap-2 border-t border-line pt-3">
      <span className="flex-none text-sm text-muted">Claim ID</span>
      <Masked what="Claim ID">
        <span className="flex min-w-0 flex-1 items-center gap-2">
          <code className="min-w-0 flex-1 font-mono text-sm break-all">{claimId}</code>
          <CopyButton text={claimId} label={`Copy Claim ID ${claimId}`} />
        </span>
      </Masked>
    </div>
  )
}

const coinPlate = '#5b4300'
const trophyPlate = '#3b3f73'

const coinPicture = (
  <img src="/art/redcoin.svg" alt="" data-icon="coin" width={72} height={72} className="w-3/5" />
)
const trophyPicture = <Trophy data-icon="trophy" strokeWidth={1.5} className="size-1/2" />

function ClaimCardSkeleton() {
  return (
    <div className={shape}>
      <div className="flex gap-4">
        <Skeleton className={`${picture}`} />
        <div className="grid flex-1 content-start gap-3">
          <Skeleton className="h-6 w-28 rounded-full" />
          <Skeleton className="h-6 w-3/4" />
          <Skeleton className="h-5 w-1/2" />
        </div>
      </div>
      <Skeleton className="h-16" />
      <Skeleton className="mt-auto h-11" />
    </div>
  )
}

const viewDefaults = { filters: { filter: ClaimsQuery.parse({}).filter } }

const choices = Object.entries(kindTexts).map(([value, { title }]) => ({ value, label: title }))

export function MyPrizesScreen() {
  const [{ page, filters }, change] = useTableView(viewDefaults)
  const { filter } = ClaimsQuery.parse(filters)
  return (
    <>
      <PageHeading
        title="My Prizes"
        description="Everything you have won so far"
        action={<BalanceCard />}
      />
      <ClaimsList
        filter={filter}
        page={page}
        onPageChange={(next, isCorrection) => change({ page: next }, isCorrection)}
        filterField={
          <SelectField
            label="Filter"
            choices={choices}
            value={filter}
            onChange={(event) => change({ filters: { filter: event.target.value } })}
            fieldClassName="w-full sm:w-56"
          />
        }
      />
    </>
  )
}

/** How far a prize has come, where it goes, and what can be done about it. */
function ShipmentOfClaim({ claim }: { readonly claim: Claim }) {
  const { claimId, prize, shipment } = claim
  const receive = useCall(shipmentsContract.received)
  const decline = useCall(shipmentsContract.decline)
  const box = useRef<HTMLDivElement>(null)
  const isHere = receive.isSuccess && shipment?.state !== 'sent'
  useEffect(() => {
    // The button that was pressed has gone.
    if (isHere && document.activeElement === document.body) box.current?.focus()
  }, [isHere])
  const params = { claimId }
  const [ask, question] = useQuestion(() => ({
    title: `Give up your ${prize.name}?`,
    description: 'You will not receive this prize or anything in its place. This cannot be undone.',
    confirmLabel: 'Give it up',
    cancelLabel: 'Keep it',
    onConfirm: () =>
      reportOutcome(decline.mutateAsync({ params }), {
        done: `You gave up your ${prize.name}`,
        fallback: 'Could not be saved. Please try again.',
      }),
  }))
  if (!shipment) return <DeliveryDetails claim={claim} />
  const { state, deadline, sentAt, canDecline, hasCode } = shipment
  // Where it may go matters until an address is given.
  const countries = state === 'address_wanted' ? shipment.countries : []
  const termsNow = { ...shipment, countries, deadlineDays: null }
  if (hasCode) return <CodeOfClaim claim={claim} />
  const sayReceived = () =>
    reportOutcome(receive.mutateAsync({ params }), {
      done: `Enjoy your ${prize.name}`,
      fallback: 'Could not be saved. Please try again.',
    })
  return (
    <div ref={box} tabIndex={-1} className="grid justify-items-start gap-2 focus:outline-none">
      <p className="font-semibold">
        {stateWords[state].winner}
        {state === 'sent' && sentAt !== null && (
          <span className="font-normal text-muted">
            {' since '}
            {formatDate(sentAt)}
          </span>
        )}
      </p>
      {state === 'address_wanted' && deadline !== null && (
        <p className="text-sm text-warning">
          Until {formatDateTime(deadline)}. After that the prize is no longer yours.
        </p>
      )}
      <TermsLine terms={termsNow} className="text-sm text-muted" />
      {isCarried(shipment) && <CarriageLine {...shipment} />}
      <DeliveryDetails claim={claim} />
      {state === 'sent' && (
        <Button
          aria-label={`It's here: ${prize.name}`}
          onClick={() => void sayReceived()}
          isPending={receive.isPending}
        >
          <PackageCheck />
          It's here
        </Button>
      )}
      {canDecline && (
        <Button
          icon={HandHeart}
          tone="secondary"
          className="text-sm"
          aria-label={`I don't want it: ${prize.name}`}
          onClick={() => ask()}
        >
          I don't want it
        </Button>
      )}
      {question}
    </div>
  )
}

/** Covered until it is asked for, and in streamer mode once more. */
function CodeOfClaim({ claim: { claimId, prize } }: { readonly claim: Claim }) {
  const [isAsked, ask] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const code = useEndpoint(shipmentsContract.code, {
    shows: [],
    options: { params: { claimId } },
    enabled: isAsked,
    // A code does not stay in the page longer than it is looked at, and each asking is noted.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const show = () => {
    // The button goes, and the code comes where it was.
    box.current?.focus()
    ask(true)
  }
  return (
    <div ref={box} tabIndex={-1} className="flex min-w-0 flex-col focus:outline-none">
      {isAsked ? (
        <DataState query={code} what="the code" skeleton="h-11" isBrief>
          {({ code: text }) => (
            <Masked what="Code" isLasting isBlock>
              <span className="flex min-w-0 items-center gap-2">
                <code className="min-w-0 flex-1 font-mono break-all">{text}</code>
                <CopyButton text={text} label={`Copy the code: ${prize.name}`} />
              </span>
            </Masked>
          )}
        </DataState>
      ) : (
        <Button
          icon={KeyRound}
          className="self-start"
          aria-label={`Show the code: ${prize.name}`}
          onClick={show}
        >
          Show the code
        </Button>
      )}
    </div>
  )
}
