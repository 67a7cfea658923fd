// The places of the navigation bar, in their order.

import type { LinkProps } from '@tanstack/react-router'
import {
  ExternalLink,
  Gift,
  LayoutDashboard,
  type LucideIcon,
  Package,
  ShoppingBag,
  Trophy,
  Tv,
} from 'lucide-react'
import { brand } from '../lib/brand.ts'

export interface NavPlace {
  readonly to: LinkProps['to']
  readonly label: string
  readonly Icon: LucideIcon
  /** The key that leads there after G. */
  readonly letter?: string
}

export const navPlaces: readonly NavPlace[] = [
  { to: '/dashboard', label: 'Dashboard', Icon: LayoutDashboard, letter: 'd' },
  { to: '/inventory', label: 'My Inventory', Icon: Package, letter: 'i' },
  { to: '/my-prizes', label: 'My Prizes', Icon: Gift, letter: 'p' },
  { to: '/store', label: 'Store', Icon: ShoppingBag, letter: 's' },
  { to: '/twitch-streams', label: 'Twitch Rewards', Icon: Tv, letter: 'w' },
  { to: '/leaderboard', label: 'Leaderboard', Icon: Trophy, letter: 'l' },
]

export interface ShopLinkProps {
  readonly className: string
  readonly onClick?: () => void
}

export function ShopLink({ className, onClick }: ShopLinkProps) {
  return (
    <a
      href={brand.shopUrl}
      target="_blank"
      rel="noopener noreferrer"
      onClick={onClick}
      className={className}
    >
      Get More Packs
      <ExternalLink className="size-4 flex-none" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  )
}
