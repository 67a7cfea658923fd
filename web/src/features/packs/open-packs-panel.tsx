// The packs of a player and everything that opens them.

import type { PackType } from '@redpack/contract'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { cn } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { usePackTypes } from '../../lib/pack-types-query.ts'
import { LoadErrorCard, Loading, Skeleton } from '../../ui/feedback/data-state.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { LinkButton } from '../../ui/form/link-button.tsx'
import { RadioCards } from '../../ui/form/radio-cards.tsx'
import { lazyComponent, useOpened } from '../../ui/overlay/lazy-component.tsx'
import { useChain } from '../fairness/queries.ts'
import { LastOpening, UnansweredOffer, UnseenOffer } from './kept-openings.tsx'
import { OddsChangedDialog } from './odds-changed-dialog.tsx'
import { OpeningControls } from './opening-controls.tsx'
import type { OpeningModalProps } from './opening-modal.tsx'
import { currentOpenings, type OpeningRecord, subscribeToOpenings } from './opening-records.ts'
import { type OwnedPack, ownedPacks, type PackLook } from './owned-packs.tsx'
import { useHoldings, useSeenOdds } from './queries.ts'
import { CardImage } from './shared/card-image.tsx'
import { usePackOpening } from './use-pack-opening.ts'

/** Not by Suspense, which holds a part back for a moment even when its code is there. */
const openingModal = lazyComponent<OpeningModalProps>(
  async () => (await import('./opening-modal.tsx')).OpeningModal,
)
/** The packs and their pictures have the network for themselves until then, in milliseconds. */
const modalAfterMs = 1_000

interface OpenPacksPanelProps {
  readonly userId: number
}

export function OpenPacksPanel({ userId }: OpenPacksPanelProps) {
  const navigate = useNavigate()
  const types = usePackTypes()
  const holdings = useHoldings()
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
  // The modal's code is there before the first answer.
  useEffect(() => {
    const timer = setTimeout(() => openingModal.fetch().catch(() => undefined), modalAfterMs)
    return () => clearTimeout(timer)
  }, [])

  const packs = ownedPacks(holdings.data ?? [], types.data ?? [])
  // The first pack is chosen on arrival, and when the chosen ones have been opened.
  const found = packs.find((pack) => String(pack.id) === choice) ?? packs[0]
  const chosen = choice === '' ? undefined : found
  const failed = [holdings, types].find((query) => query.error !== null && !query.data)
  const isLoading = !failed && (holdings.isPending || types.isPending)
  const packsKnown = failed ? 'failed' : isLoading ? 'loading' : 'known'
  useSeenOdds(chosen?.id)
  // Asked for early, so that the first opening need not wait for it.
  useChain(userId)

  const open = () => {
    const picture = chosen && layout.current ? packPictureIn(layout.current, chosen.id) : null
    const from = picture?.getBoundingClientRect() ?? null
    opening.open({ pack: chosen, quantity: quantity ?? 0, from })
  }

  const packOf = (packTypeId: number) => lookOf(types.data, packTypeId)
  const unseen = records.unseen.filter((record) => record.key !== running?.key)
  const oldestUnseen = unseen.at(-1)
  const { last } = records
  // What was skipped is news; what was seen only waits below.
  const hasSkipped = last?.answer ? last.seen < last.answer.results.length : false
  const lastOpening = last && last.key !== running?.key && (
    <LastOpening record={last} packName={lookOf(types.data, last.order.packTypeId).name} />
  )

  return (
    <div className="grid gap-6">
      {oldestUnseen && (
        <UnseenOffer
          records={unseen}
          packNames={[...new Set(unseen.map(({ order }) => packOf(order.packTypeId).name))]}
          onResume={() => opening.resume(oldestUnseen, packOf(oldestUnseen.order.packTypeId))}
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
            />
          )
        })}
      {hasSkipped && lastOpening}
      <div ref={layout} className="opening-layout grid gap-6">
        <PacksSection
          isLoading={packsKnown === 'loading'}
          failed={failed}
          isEmpty={packs.length === 0}
        >
          <PackGrid packs={packs} chosen={String(chosen?.id ?? '')} onChoose={setChoice} />
        </PacksSection>
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

interface PacksSectionProps {
  readonly isLoading: boolean
  readonly failed:
    | { readonly error: Error | null; readonly isFetching: boolean; refetch(): unknown }
    | undefined
  readonly isEmpty: boolean
  readonly children: ReactNode
}

function PacksSection({ isLoading, failed, isEmpty, children }: PacksSectionProps) {
  if (failed) {
    return (
      <LoadErrorCard
        title="Error loading your packs"
        description="Please try again in a moment"
        error={failed.error}
        isRetrying={failed.isFetching}
        onRetry={() => void failed.refetch()}
      />
    )
  }
  if (isLoading) return <PacksLoading />
  if (!isEmpty) return children
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

function PacksLoading() {
  return (
    <Loading label="Loading your packs" className={packGrid}>
      {['first', 'second', 'third'].map((place) => (
        <div key={place} className="card on-card grid gap-2 p-3 sm:p-4">
          <Skeleton className="aspect-5/6" />
          <Skeleton className="h-6" />
          <Skeleton className="h-10" />
        </div>
      ))}
    </Loading>
  )
}

/** How to draw the pack of an earlier opening; a type that is gone is drawn plainly. */
function lookOf(types: readonly PackType[] | undefined, packTypeId: number): PackLook {
  const plain = { icon: 'package', color: '', imageUrl: null, imageData: null, imageType: null }
  return types?.find((type) => type.id === packTypeId) ?? { name: 'Pack', ...plain }
}

// The openings kept on this device, sorted by what can be done about them.
interface OpeningRecords {
  readonly all: readonly OpeningRecord[]
  /** Sent, but never answered. */
  readonly unanswered: readonly OpeningRecord[]
  /** Answered, but not seen to the end. */
  readonly unseen: readonly OpeningRecord[]
  /** The newest one that was seen to the end or closed before. */
  readonly last: OpeningRecord | undefined
}

/** The openings of one user, newest first in every list. */
function useOpeningRecords(userId: number): OpeningRecords {
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

function PackCard({ pack, isFirst, isChosen }: PackCardProps) {
  return (
    <span className="flex h-full flex-col gap-2">
      <CardImage
        imageUrl={pack.imageUrl}
        imageData={pack.imageData}
        imageType={pack.imageType}
        icon={pack.icon}
        color={pack.color}
        isFirst={isFirst}
        className="pack-picture"
      />
      <span className="font-display text-lg font-semibold leading-tight break-words">
        {pack.name}
      </span>
      {pack.description && (
        <span className={cn('text-sm text-muted break-words', !isChosen && 'line-clamp-4')}>
          {pack.description}
        </span>
      )}
      <span className="mt-auto pt-1 font-semibold tabular-nums text-secondary-text">
        {formatNumber(pack.quantity)} available
      </span>
    </span>
  )
}
