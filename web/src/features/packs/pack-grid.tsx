// The packs a player owns, as cards of which one is chosen.

import { cn } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { RadioCards } from '../../ui/form/radio-cards.tsx'
import type { OwnedPack } from './owned-packs.ts'
import { CardImage } from './shared/card-image.tsx'

/** Finds the picture of a card, where the opening starts from. */
export function packPictureIn(root: ParentNode, packTypeId: number): Element | null {
  return root.querySelector(`[data-value="${packTypeId}"] .pack-picture`)
}

interface PackGridProps {
  readonly packs: readonly OwnedPack[]
  /** Empty while nothing is chosen. */
  readonly chosen: string
  readonly onChoose: (packTypeId: string) => void
}

export function PackGrid({ packs, chosen, onChoose }: PackGridProps) {
  return (
    <RadioCards
      label="Your packs"
      value={chosen}
      onChange={onChoose}
      className="grid-cols-[repeat(auto-fill,minmax(min(10rem,44%),1fr))] gap-3 sm:gap-4"
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
        <span className={cn('text-sm text-muted break-words', !isChosen && 'line-clamp-3')}>
          {pack.description}
        </span>
      )}
      <span className="mt-auto pt-1 font-semibold tabular-nums text-secondary-text">
        {formatNumber(pack.quantity)} available
      </span>
    </span>
  )
}
