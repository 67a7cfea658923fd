// The places a player goes to from the dashboard.

import type { LinkProps } from '@tanstack/react-router'
import {
  ChevronRight,
  Gift,
  type LucideIcon,
  PackageOpen,
  ShoppingBag,
  UserRound,
} from 'lucide-react'
import { LinkCard } from '../../ui/layout/card.tsx'

const places: readonly {
  readonly to: LinkProps['to']
  readonly title: string
  readonly text: string
  readonly Icon: LucideIcon
}[] = [
  {
    to: '/inventory',
    title: 'Open Packs',
    text: 'Choose a pack and see what is inside',
    Icon: PackageOpen,
  },
  {
    to: '/my-prizes',
    title: 'My Prizes',
    text: 'Your wins and their status',
    Icon: Gift,
  },
  {
    to: '/store',
    title: 'Store',
    text: 'Browse the store and purchase packs with RedCoin',
    Icon: ShoppingBag,
  },
  {
    to: '/profile',
    title: 'Profile Settings',
    text: 'Your details, wallet and connections',
    Icon: UserRound,
  },
]

export function PlaceCards() {
  return (
    <div className="enter-stagger grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      {places.map(({ to, title, text, Icon }) => (
        <LinkCard key={title} to={to} className="group flex h-full items-start gap-4">
          <Icon aria-hidden="true" className="mt-0.5 size-6 flex-none text-muted" />
          <span className="block min-w-0 flex-1">
            <span className="block font-display text-lg font-semibold">{title}</span>
            <span className="block text-muted">{text}</span>
          </span>
          <ChevronRight
            aria-hidden="true"
            className="mt-0.5 size-5 flex-none text-muted transition-transform group-hover:translate-x-1"
          />
        </LinkCard>
      ))}
    </div>
  )
}
