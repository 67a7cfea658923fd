// The icon a card falls back to: one of seven drawn ones, or an emoji as it is.

import { Box, Crown, Cuboid, Dices, Gem, Gift, type LucideIcon, Package } from 'lucide-react'
import { cn } from '../../../lib/class-names.ts'

const drawn: Readonly<Record<string, LucideIcon>> = {
  package: Package,
  gift: Gift,
  box: Box,
  dice: Dices,
  crown: Crown,
  gem: Gem,
  cube: Cuboid,
}

const hasLetter = /[\p{L}\p{N}]/u

/**
 * What an icon's name stands for: a drawn icon, also with a class prefix such as "fas fa-", or the
 * text itself when it has no letter, as emoji. Anything else is the package.
 */
export function iconOf(name: string): { readonly drawn: string } | { readonly emoji: string } {
  const text = name.trim()
  if (text !== '' && !hasLetter.test(text)) return { emoji: text }
  const word = text.toLowerCase().split(/\s+/).at(-1)?.replace(/^fa-/, '') ?? ''
  return { drawn: Object.hasOwn(drawn, word) ? word : 'package' }
}

export interface PackIconProps {
  readonly name: string
  /** Gives the size, as font size. */
  readonly className?: string
}

/** Decorative: the name of the thing always stands beside it. */
export function PackIcon({ name, className }: PackIconProps) {
  const icon = iconOf(name)
  if ('emoji' in icon) {
    return (
      <span aria-hidden="true" data-icon="emoji" className={cn('leading-none', className)}>
        {icon.emoji}
      </span>
    )
  }
  const Drawn = drawn[icon.drawn] ?? Package
  return <Drawn data-icon={icon.drawn} strokeWidth={1.5} className={cn('size-[1em]', className)} />
}
