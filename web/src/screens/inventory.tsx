// The packs a player owns, and the place to open them.

import type { PackType } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Eye, RotateCw, X } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { AlarmList } from '../features/fairness/alarm-list.tsx'
import { useChain } from '../features/fairness/queries.ts'
import { BalanceCard } from '../features/ledger/coin.tsx'
import { OddsChangedDialog } from '../features/packs/odds-changed-dialog.tsx'
import { OpeningControls } from '../features/packs/opening-controls.tsx'
import {
  currentOpenings,
  forgetOpening,
  type OpeningRecord,
  subscribeToOpenings,
} from '../features/packs/opening-records.ts'
import { OpeningSummary } from '../features/packs/opening-summary.tsx'
import { type OwnedPack, ownedPacks, type PackLook } from '../features/packs/owned-packs.tsx'
import { useIsAwaited, useSeenOdds } from '../features/packs/queries.ts'
import { CardImage } from '../features/packs/shared/card-image.tsx'
import { holdingsQuery } from '../features/packs/stats-queries.ts'
import { usePackOpening } from '../features/packs/use-pack-opening.ts'
import { useSession } from '../features/session/queries.ts'
import { cn } from '../lib/class-names.ts'
import { formatNumber, plural } from '../lib/format.ts'
import { usePackTypes } from '../lib/pack-types-query.ts'
import { bothOf, DataState, Empty, Skeleton } from '../ui/feedback/state.tsx'
import { Button, IconButton, LinkButton } from '../ui/form/button.tsx'
import { RadioCards } from '../ui/form/radio-cards.tsx'
import { PageHeading } from '../ui/layout/section.tsx'
import { lazyComponent, useOpened } from '../ui/overlay/lazy-component.tsx'

/** Not by Suspense, which holds a part back for a moment even when its code is there. */
const openingModal = lazyComponent(
  () => import('../features/packs/opening-modal.tsx'),
  'OpeningModal',
)
/** The packs and their pictures have the network for themselves until then, in milliseconds. */
const settledAfterMs = 1_000

function OpenPacksPanel({ userId }: { readonly userId: number }) {
  const navigate = useNavigate()
  const types = usePackTypes()
  const holdings = useQuery(holdingsQuery)
  const records = useOpeningRecords(userId)
  const opening = usePackOpening({
    userId,
    records: records.all,
    onViewPrizes: () => void navigate({ to: '/my-prizes' }),
  })
  const [choice, setChoice] = useState<string>()
  const [quantity, setQuantity] = useState<number | null>(1)
  const layout = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  const { running } = opening
  const OpeningModal = useOpened(openingModal, {
    isOpen: running !== null,
    onOpenChange: opening.postpone,
  })
  // What draws again and the modal's code are there before the first answer.
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    const settle = () => {
      setSettled(true)
      openingModal.fetch().catch(() => undefined)
    }
    const timer = setTimeout(settle, settledAfterMs)
    return () => clearTimeout(timer)
  }, [])
  useChain(userId, isSettled)

  const packs = ownedPacks(holdings.data ?? [], types.data ?? [])
  // The type that was opened last, until its packs are fewer.
  const [opened, setOpened] = useState<number>()
  const found = packs.find((pack) => String(pack.id) === choice)
  // The first pack is chosen on arrival, and when the chosen ones have been opened here. Where they
  // were taken away, the next press must not open others.
  const mayGoOn = choice === undefined || choice === String(opened)
  const chosen = found ?? (mayGoOn ? packs[0] : undefined)
  const [before, setBefore] = useState(chosen)
  if (chosen?.id !== before?.id || chosen?.quantity !== before?.quantity) {
    setBefore(chosen)
    setOpened(undefined)
    // What is left after an opening is the most that the next one can take.
    const isElsewhere = chosen?.id === before?.id && chosen?.id !== opened
    if (chosen && quantity !== null && !isElsewhere)
      setQuantity(Math.min(quantity, chosen.quantity))
  }
  const both = bothOf(holdings, types)
  const packsKnown = both.error ? 'failed' : both.data ? 'known' : 'loading'
  // News of other packs must not choose for somebody.
  if (packsKnown === 'known' && chosen && String(chosen.id) !== choice) setChoice(String(chosen.id))
  useSeenOdds(chosen?.id)

  const open = () => {
    const picture = chosen && layout.current ? packPictureIn(layout.current, chosen.id) : null
    const from = picture?.getBoundingClientRect() ?? null
    setOpened(chosen?.id)
    opening.open({ pack: chosen, quantity: quantity ?? 0, from })
  }

  const dismiss = (...records: readonly OpeningRecord[]) => {
    // The card goes with the button that was pressed; the packs stay.
    layout.current?.focus({ preventScroll: true })
    for (const { key } of records) forgetOpening(key)
  }
  const packOf = (packTypeId: number) => lookOf(types.data, packTypeId)
  const unseen = records.unseen.filter((record) => record.key !== running?.key)
  const oldestUnseen = unseen.at(-1)
  const { last } = records
  // What was skipped is news; what was seen only waits below.
  const hasSkipped = last?.answer ? last.seen < last.answer.results.length : false
  const lastOpening = last && last.key !== running?.key && (
    <LastOpening
      record={last}
      packName={lookOf(types.data, last.order.packTypeId).name}
      onDismiss={() => dismiss(last)}
    />
  )

  return (
    <div className="grid grid-cols-1 gap-6">
      {oldestUnseen && (
        <UnseenOffer
          records={unseen}
          packNames={[...new Set(unseen.map(({ order }) => packOf(order.packTypeId).name))]}
          onResume={() => opening.resume(oldestUnseen, packOf(oldestUnseen.order.packTypeId))}
          onDismiss={() => dismiss(...unseen)}
        />
      )}
      {!opening.isPending &&
        records.unanswered.map((record) => {
          const pack = lookOf(types.data, record.order.packTypeId)
          return (
            <UnansweredOffer
              key={record.key}
              record={record}
              packName={pack.name}
              onAskAgain={() => opening.askAgain(record, pack)}
              onDismiss={() => dismiss(record)}
            />
          )
        })}
      {hasSkipped && lastOpening}
      <div
        ref={layout}
        tabIndex={-1}
        className={cn(
          'opening-layout grid gap-6 focus:outline-none md:grid-cols-[minmax(0,1fr)_19rem] md:items-start',
          // However few packs there are, on a phone the controls lie at the lower edge.
          'max-md:tall:min-h-[calc(100dvh-13rem)] max-md:tall:content-between',
          // Room for the longest usual name of a pack.
          'xl:grid-cols-[minmax(0,1fr)_21rem]',
        )}
      >
        <DataState
          query={both}
          what="your packs"
          description="Please try again in a moment"
          skeleton={Array(3).fill(<PackShape />)}
          className={packGrid}
          isOnPage
          isBrief
        >
          {() =>
            packs.length === 0 ? (
              <NoPacks />
            ) : (
              <PackGrid packs={packs} chosen={String(chosen?.id ?? '')} onChoose={setChoice} />
            )
          }
        </DataState>
        <OpeningControls
          packs={packs}
          packsKnown={packsKnown}
          chosen={chosen}
          onChoose={setChoice}
          quantity={quantity}
          onQuantity={setQuantity}
          isPending={opening.isPending}
          onOpen={open}
          buttonRef={button}
        />
      </div>
      {!hasSkipped && lastOpening}
      <OddsChangedDialog
        order={opening.refused}
        onCancel={opening.leaveRefused}
        onConfirm={opening.openWith}
      />
      {running && OpeningModal && (
        <OpeningModal
          key={running.key}
          opening={running}
          from={running.from}
          returnTo={() => button.current}
          onSeen={opening.onSeen}
          onClose={opening.onClose}
        />
      )}
    </div>
  )
}

function PackShape() {
  return (
    <div className="card on-card grid gap-2 p-3 sm:p-4">
      <Skeleton className="aspect-5/6" />
      <Skeleton className="h-6" />
      <Skeleton className="h-10" />
      <Skeleton className="h-7" />
    </div>
  )
}

function NoPacks() {
  return (
    <Empty
      picture={
        <img src="/art/empty-inventory.svg" alt="" width={320} height={240} className="h-auto" />
      }
      title="No packs to open"
      description="Packs come from the store, from watching streams and from the community."
      action={<LinkButton to="/store">Visit the store</LinkButton>}
    />
  )
}

/** How to draw the pack of an earlier opening; a type that is gone is drawn plainly. */
function lookOf(types: readonly PackType[] | undefined, packTypeId: number): PackLook {
  const plain = { icon: 'package', color: '', imageUrl: null, imageData: null, imageType: null }
  return types?.find((type) => type.id === packTypeId) ?? { name: 'Pack', ...plain }
}

/** Kept on this device, by what can be done about them; newest first in every list. */
function useOpeningRecords(userId: number) {
  const all = useSyncExternalStore(subscribeToOpenings, () => currentOpenings(userId))
  return useMemo(() => {
    const answered = all.filter((record) => record.answer !== null)
    return {
      all,
      unanswered: all.filter((record) => record.answer === null),
      unseen: answered.filter((record) => !isOver(record)),
      last: answered.find(isOver),
    }
  }, [all])
}

function isOver({ answer, seen, isClosed }: OpeningRecord): boolean {
  return isClosed || seen >= (answer?.results.length ?? 0)
}

/** Finds the picture of a card, where the opening starts from. */
function packPictureIn(root: ParentNode, packTypeId: number): Element | null {
  return root.querySelector(`[data-value="${packTypeId}"] .pack-picture`)
}

const packGrid =
  'grid grid-cols-2 gap-3 sm:max-md:grid-cols-3 lg:grid-cols-[repeat(auto-fill,minmax(13rem,15rem))] lg:gap-4'

interface PackGridProps {
  readonly packs: readonly OwnedPack[]
  readonly chosen: string
  readonly onChoose: (packTypeId: string) => void
}

function PackGrid({ packs, chosen, onChoose }: PackGridProps) {
  return (
    <RadioCards
      label="Your packs"
      value={chosen}
      onChange={onChoose}
      className={packGrid}
      cards={packs.map((pack, index) => ({
        value: String(pack.id),
        content: <PackCard pack={pack} isFirst={index < 4} isChosen={chosen === String(pack.id)} />,
      }))}
    />
  )
}

interface PackCardProps {
  readonly pack: OwnedPack
  readonly isFirst: boolean
  /** The chosen one shows all of a long description. */
  readonly isChosen: boolean
}

const packLayout =
  'grid grid-cols-1 h-[calc(120cqi+7.25rem)] grid-rows-[minmax(6rem,1fr)_repeat(3,auto)] gap-2'

/**
 * As high as its picture and a few lines of text, whatever the text: more of it, as on the chosen
 * card, makes the picture smaller, so that nothing around the card moves.
 */
function PackCard({ pack, isFirst, isChosen }: PackCardProps) {
  return (
    <span className="@container block">
      <span className={packLayout}>
        <CardImage
          imageUrl={pack.imageUrl}
          imageData={pack.imageData}
          imageType={pack.imageType}
          icon={pack.icon}
          color={pack.color}
          isFirst={isFirst}
          className="pack-picture h-full max-h-[120cqi] w-auto justify-self-center"
        />
        {/* Two of them: the outer one keeps the height of all lines that the inner one shows. */}
        <span className="font-display text-lg font-semibold leading-tight break-words">
          <span className="line-clamp-3">{pack.name}</span>
        </span>
        <span
          className={cn(
            'min-h-[2lh] text-sm text-balance text-muted break-words',
            isChosen ? 'overflow-y-auto' : 'line-clamp-2',
          )}
        >
          {pack.description}
        </span>
        <span className="pt-1 font-semibold tabular-nums text-secondary-text">
          {formatNumber(pack.quantity)} available
        </span>
      </span>
    </span>
  )
}

interface UnseenOfferProps {
  /** Openings that were not seen to the end, at least one. */
  readonly records: readonly OpeningRecord[]
  /** Names of their packs, each once. */
  readonly packNames: readonly string[]
  readonly onResume: () => void
  readonly onDismiss: () => void
}

/** Results whose modal was never finished, for example because the tab was closed: one notice. */
export function UnseenOffer({ records, packNames, onResume, onDismiss }: UnseenOfferProps) {
  const count = records.reduce(
    (sum, { answer, seen }) => sum + (answer?.results.length ?? 0) - seen,
    0,
  )
  return (
    <Offer
      text={`You have ${plural(count, 'result', 'results')} you have not seen yet`}
      detail={packNames.join(', ')}
      onDismiss={onDismiss}
      dismissLabel="Dismiss unseen results"
    >
      <Button icon={Eye} onClick={onResume}>
        Show results
      </Button>
    </Offer>
  )
}

interface UnansweredOfferProps {
  readonly record: OpeningRecord
  readonly packName: string
  readonly onAskAgain: () => void
  readonly onDismiss: () => void
}

/** A request whose answer has not arrived. Asking again under the same key opens nothing twice. */
function UnansweredOffer({ record, packName, onAskAgain, onDismiss }: UnansweredOfferProps) {
  const packs = plural(record.order.quantity, 'pack', 'packs')
  // The packs may be gone from the list by now: without a word they would look lost.
  if (useIsAwaited(record)) {
    return (
      <Offer
        text={`Waiting for the answer to your opening of ${packs}`}
        detail={`${packName}. Nothing is lost: if none comes within half a minute, ask again here.`}
      />
    )
  }
  return (
    <Offer
      text={`No answer came for your opening of ${packs}`}
      detail={`${packName}. Ask again for its results: the same opening is never done twice.`}
      onDismiss={onDismiss}
      dismissLabel="Dismiss unanswered opening"
    >
      <Button icon={RotateCw} onClick={onAskAgain}>
        Ask again
      </Button>
    </Offer>
  )
}

interface OfferProps {
  readonly text: string
  readonly detail: string
  readonly dismissLabel?: string
  /** Absent while there is nothing to do but wait. */
  readonly onDismiss?: () => void
  readonly children?: ReactNode
}

function Offer({ text, detail, dismissLabel = '', onDismiss, children }: OfferProps) {
  return (
    <section className="card on-card flex flex-wrap items-center gap-3 border-accent-graphic p-4">
      <div className="min-w-0 flex-[1_1_14rem]">
        <p className="font-display text-lg font-semibold">{text}</p>
        <p className="text-muted break-words">{detail}</p>
      </div>
      {onDismiss && (
        <div className="flex gap-2">
          {children}
          <IconButton label={dismissLabel} onClick={onDismiss} icon={X} />
        </div>
      )}
    </section>
  )
}

/** The summary of the last opening, until it is dismissed or the next one takes its place. */
function LastOpening({ record, packName, onDismiss }: Omit<UnansweredOfferProps, 'onAskAgain'>) {
  if (!record.answer) return null
  return (
    <div className="on-card relative">
      <OpeningSummary
        title="Last opening"
        packName={packName}
        results={record.answer.results}
        seen={record.seen}
      />
      <IconButton
        label="Dismiss last opening"
        className="absolute end-2 top-2"
        onClick={onDismiss}
        icon={X}
      />
    </div>
  )
}

/** Nothing unless signed in. */
export function InventoryScreen() {
  const { user } = useSession()
  if (!user) return null
  return (
    <>
      <PageHeading
        title="Pack Inventory"
        description="Choose a pack, choose how many, open"
        action={<BalanceCard />}
      />
      <div className="grid gap-6">
        <AlarmList userId={user.id} />
        <OpenPacksPanel userId={user.id} />
      </div>
    </>
  )
}
