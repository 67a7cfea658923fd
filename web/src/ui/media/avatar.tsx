// A person's picture, or the first letter of the name.

import { Avatar as Primitive } from 'radix-ui'
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

/** Decorative: the name always stands beside it or on the control around it. */
export function Avatar({ name, src, className }: AvatarProps) {
  return (
    <Primitive.Root className={cn('avatar', className)}>
      {src && <Primitive.Image src={src} alt="" className="size-full object-cover" />}
      <Primitive.Fallback className="font-display text-lg font-bold">
        {initialOf(name)}
      </Primitive.Fallback>
    </Primitive.Root>
  )
}
