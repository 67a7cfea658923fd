// The picture of a prize, or the coin when it has none.

import type { StoredImage } from '../../lib/image-source.ts'
import { CardImage } from '../packs/shared/card-image.tsx'

/** A quiet plate, so that the coin on it stands out. */
const plate = '#33415C'

export interface PrizePictureProps {
  readonly image: StoredImage
  readonly className?: string
}

export function PrizePicture({ image, className }: PrizePictureProps) {
  return (
    <CardImage
      imageData={image.imageData}
      imageType={image.imageType}
      color={plate}
      className={className}
      fallback={<img src="/art/redcoin.svg" alt="" width={48} height={48} data-icon="coin" />}
    />
  )
}
