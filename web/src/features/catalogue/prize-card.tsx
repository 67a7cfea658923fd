// One prize as staff see it: what it is, how often it is won, what is left, and what to do with it.

import type { AdminPrize } from '@redpack/contract'
import { CircleCheck, CirclePause, Package, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatList, formatRedCoin } from '../../lib/format.ts'
import type { StoredImage } from '../../lib/image-source.ts'
import { Badge, Notice } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { LongText } from '../../ui/layout/long-text.tsx'
import { DeleteButton } from '../../ui/table/deleted-rows.tsx'
import { CardImage } from '../packs/shared/card-image.tsx'
import {
  descriptionOf,
  frequencyText,
  isOverfull,
  isRedCoinPrize,
  percentText,
  type RealChance,
  stockText,
} from './prize-words.ts'

/** A quiet plate, so that the coin on it stands out. */
const plate = '#33415C'

interface PrizePictureProps {
  readonly image: StoredImage
  readonly className?: string
}

export function PrizePicture({ image, className }: PrizePictureProps) {
  return (
    <CardImage
      imageUrl={image.imageUrl}
      imageData={image.imageData}
      imageType={image.imageType}
      color={plate}
      className={className}
      fallback={<img src="/art/redcoin.svg" alt="" width={48} height={48} data-icon="coin" />}
    />
  )
}

/** Below this many units the stock is marked as running out. */
const lowStock = 5

export interface PrizeCardProps {
  readonly prize: AdminPrize
  /** How the prize stands in its packs. */
  readonly chances: readonly RealChance[]
  readonly onEdit: () => void
  readonly onInventory: () => void
  readonly onDelete: () => void
}

export function PrizeCard({ prize, chances, onEdit, onInventory, onDelete }: PrizeCardProps) {
  const titleId = `prize-${prize.id}`
  const names = prize.packTypes.map(({ name }) => name)
  return (
    <article aria-labelledby={titleId} className="card on-card flex h-full flex-col gap-4 p-4">
      <div className="flex gap-4">
        <PrizePicture image={prize} className="aspect-square w-20 flex-none self-start sm:w-24" />
        <div className="min-w-0">
          <h3 id={titleId} className="break-words text-lg">
            {prize.name}
          </h3>
          <ActiveBadge isActive={prize.isActive} />
          <LongText text={descriptionOf(prize)} className="mt-2 text-muted" />
        </div>
      </div>
      <dl className="grid gap-1.5 border-t border-line pt-3">
        <Line term="Frequency">{frequencyText(prize)}</Line>
        <Line term="RedCoin">
          {isRedCoinPrize(prize) ? formatRedCoin(prize.redCoinAmount) : '0'}
        </Line>
        <Line term="Stock">
          <StockText stock={prize.inventoryQuantity} />
        </Line>
        <Line term="Pack types">{names.length === 0 ? 'None' : formatList(names)}</Line>
      </dl>
      {names.length === 0 && <Notice tone="warning">No pack types assigned</Notice>}
      <ScaledNotice prize={prize} chances={chances} />
      <div className="mt-auto flex flex-wrap justify-end gap-2 border-t border-line pt-3">
        <Button icon={Pencil} tone="secondary" onClick={onEdit} aria-label={`Edit ${prize.name}`}>
          Edit
        </Button>
        <Button
          icon={Package}
          tone="secondary"
          onClick={onInventory}
          aria-label={`Manage inventory of ${prize.name}`}
        >
          Inventory
        </Button>
        <DeleteButton label={`Delete ${prize.name}`} onClick={onDelete} />
      </div>
    </article>
  )
}

export function ActiveBadge({ isActive }: Pick<AdminPrize, 'isActive'>) {
  return isActive ? (
    <Badge tone="success" icon={<CircleCheck />}>
      Active
    </Badge>
  ) : (
    <Badge tone="idle" icon={<CirclePause />}>
      Inactive
    </Badge>
  )
}

function Line({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-2">
      <dt className="text-muted">{term}</dt>
      <dd className="break-words tabular-nums">{children}</dd>
    </div>
  )
}

function StockText({ stock }: { readonly stock: number | null }) {
  if (stock === null || stock >= lowStock) return stockText(stock)
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {stockText(stock)}
      <Badge tone={stock === 0 ? 'danger' : 'warning'}>
        {stock === 0 ? 'Sold out' : 'Running out'}
      </Badge>
    </span>
  )
}

/** Where the chance is another one than the numbers say. */
function ScaledNotice({ prize, chances }: Pick<PrizeCardProps, 'prize' | 'chances'>) {
  const scaled = prize.isActive ? chances.filter(isOverfull) : []
  if (scaled.length === 0) return null
  const nameOf = new Map(prize.packTypes.map(({ id, name }) => [id, name]))
  return (
    <Notice tone="warning">
      {scaled.map(({ packTypeId, chance, sharesSum }) => (
        <p key={packTypeId}>
          Real chance {percentText(chance)} in {nameOf.get(packTypeId) ?? `#${packTypeId}`}: the
          shares there add up to {percentText(sharesSum)}.
        </p>
      ))}
    </Notice>
  )
}
