// The picture of a pack type, or its icon on its colour when it has none.

import type { AdminPackType } from '@redpack/contract'
import { CardImage } from '../packs/shared/card-image.tsx'
import { usePackTypeImage } from './pack-type-queries.ts'

export interface PackTypePictureProps {
  readonly packType: Pick<AdminPackType, 'id' | 'imageUrl' | 'hasImage' | 'icon' | 'color'>
  readonly className?: string
}

export function PackTypePicture({ packType, className }: PackTypePictureProps) {
  const image = usePackTypeImage(packType)
  return <CardImage {...image} icon={packType.icon} color={packType.color} className={className} />
}
