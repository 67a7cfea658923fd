// The picture of a prize, or the coin when it has none.

import type { StoredImage } from '../../lib/image-source.ts'
import { CardImage } from '../../ui/card-image.tsx'

export interface PrizePictureProps {
  readonly image: StoredImage
  readonly className?: string
}

export function PrizePicture({ image, className }: PrizePictureProps) {
  return (
    <CardImage
      imageData={image.imageData}
      imageType={image.imageType}
      className={className}
      fallback={<img src="/art/redcoin.svg" alt="" width={48} height={48} data-icon="coin" />}
    />
  )
}
