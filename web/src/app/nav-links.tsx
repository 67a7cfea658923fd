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
}

export const navPlaces: readonly NavPlace[] = [
  { to: '/dashboard', label: 'Dashboard', Icon: LayoutDashboard },
  { to: '/inventory', label: 'My Inventory', Icon: Package },
  { to: '/my-prizes', label: 'My Prizes', Icon: Gift },
  { to: '/store', label: 'Store', Icon: ShoppingBag },
  { to: '/twitch-streams', label: 'Twitch Rewards', Icon: Tv },
  { to: '/leaderboard', label: 'Leaderboard', Icon: Trophy },
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
      <ExternalLink aria-hidden="true" className="size-4 flex-none" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  )
}
