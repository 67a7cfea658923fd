// A person's picture, or the first letter of the name.

import { useState } from 'react'
import { cn } from '../../lib/class-names.ts'

export interface AvatarProps {
  readonly name: string
  readonly src: string | null
  readonly className?: string
}

/** The uppercase first letter of a name; a letter outside the basic plane counts as one. */
function initialOf(name: string): string {
  return [...name.trim()][0]?.toLocaleUpperCase() ?? '?'
}

/**
 * Decorative: the name always stands beside it or on the control around it. A picture is loaded
 * when it comes near the window.
 */
export function Avatar({ name, src, className }: AvatarProps) {
  const [failed, setFailed] = useState<string>()
  return (
    <span className={cn('avatar', className)}>
      {src && src !== failed ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          className="size-full object-cover"
          onError={() => setFailed(src)}
        />
      ) : (
        <span className="font-display text-lg font-bold">{initialOf(name)}</span>
      )}
    </span>
  )
}
