// The picture on a card, 5 wide to 6 high; an icon on the card's colour when there is none.

import { type ReactNode, useState } from 'react'
import { cn } from '../../../lib/class-names.ts'
import { imageSource, type StoredImage } from '../../../lib/image-source.ts'
import { packTint, useTheme } from '../../../lib/theme.ts'
import { PackIcon } from './pack-icon.tsx'

export interface CardImageProps extends StoredImage {
  /** Empty when the name of the thing stands beside the picture. */
  readonly alt?: string
  /** Name of the fallback's icon, or an emoji. */
  readonly icon?: string
  /** Hex, or one of the themes twitch-purple, electric-blue and gaming-orange. */
  readonly color?: string
  /** Stands in for the icon when another picture says more. */
  readonly fallback?: ReactNode
  /** True for the first pictures of a page: they are loaded at once. */
  readonly isFirst?: boolean
  readonly className?: string
}

export function CardImage({
  alt = '',
  icon = 'package',
  color = 'electric-blue',
  fallback,
  isFirst = false,
  className,
  ...image
}: CardImageProps) {
  const theme = useTheme()
  const source = imageSource(image)
  const [failed, setFailed] = useState<string>()
  const box = cn('card-image', className)
  if (source !== undefined && source !== failed) {
    return (
      <span className={box}>
        <img
          src={source}
          alt={alt}
          width={200}
          height={240}
          decoding="async"
          loading={isFirst ? 'eager' : 'lazy'}
          onError={() => setFailed(source)}
          className="size-full object-contain"
        />
      </span>
    )
  }
  const tint = packTint(color, theme)
  return (
    <span
      {...(alt !== '' && { role: 'img', 'aria-label': alt })}
      data-theme={color}
      className={cn(box, 'card-image-plate')}
      style={{ '--tint': tint.fill, '--tint-label': tint.label }}
    >
      {fallback ?? <PackIcon name={icon} className="text-[4rem]" />}
    </span>
  )
}
