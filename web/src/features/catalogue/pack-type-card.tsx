// One pack type as staff see it.

import { type AdminPackType, packThemes } from '@redpack/contract'
import { Image, ImageOff, Pencil, Trash2 } from 'lucide-react'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/form/button.tsx'
import { LongText } from '../../ui/layout/long-text.tsx'
import { CardImage } from '../packs/shared/card-image.tsx'
import { usePackTypeImage } from './pack-type-queries.ts'

export interface PackTypeCardProps {
  readonly packType: AdminPackType
  readonly onEdit: () => void
  readonly onDelete: () => void
  /** Why its deletion was refused. */
  readonly refused: string | undefined
}

export function PackTypeCard({ packType, onEdit, onDelete, refused }: PackTypeCardProps) {
  const { id, name, description, color, hasImage } = packType
  const titleId = `pack-type-${id}`
  const hex = packThemes[color] ?? color
  return (
    <article aria-labelledby={titleId} className="card on-card flex h-full flex-col gap-4 p-4">
      <div className="flex gap-4">
        <PackTypePicture packType={packType} className="w-24 flex-none self-start" />
        <div className="min-w-0">
          <h3 id={titleId} className="break-words text-lg">
            {name}
          </h3>
          <p className="text-sm text-muted tabular-nums">#{id}</p>
          {description !== '' && <LongText text={description} className="mt-2 text-muted" />}
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="flex min-w-0 items-center gap-2 text-sm">
          <span
            aria-hidden="true"
            data-color={color}
            className="size-6 flex-none rounded-full border border-control"
            style={{ backgroundColor: hex }}
          />
          <span className="break-all">{hex}</span>
        </span>
        {hasImage ? (
          <Badge tone="success" icon={<Image aria-hidden="true" />}>
            Has Image
          </Badge>
        ) : (
          <Badge tone="idle" icon={<ImageOff aria-hidden="true" />}>
            Default
          </Badge>
        )}
      </div>
      <div className="mt-auto grid grid-cols-2 gap-2 border-t border-line pt-3">
        <Button tone="secondary" onClick={onEdit}>
          <Pencil aria-hidden="true" />
          <span>
            Edit <span className="sr-only">{name}</span>
          </span>
        </Button>
        <Button tone="ghost" onClick={onDelete} className="text-danger">
          <Trash2 aria-hidden="true" />
          <span>
            Delete <span className="sr-only">{name}</span>
          </span>
        </Button>
      </div>
      {/* Below the buttons, which stay where they were pressed. */}
      {refused && (
        <Notice tone="danger" role="alert">
          {refused}
        </Notice>
      )}
    </article>
  )
}

interface PackTypePictureProps {
  readonly packType: Pick<AdminPackType, 'id' | 'imageUrl' | 'hasImage' | 'icon' | 'color'>
  readonly className?: string
}

/** The picture of a pack type, or its icon on its colour when it has none. */
function PackTypePicture({ packType, className }: PackTypePictureProps) {
  const image = usePackTypeImage(packType)
  return <CardImage {...image} icon={packType.icon} color={packType.color} className={className} />
}
