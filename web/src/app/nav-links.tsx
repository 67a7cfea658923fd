// The places of the navigation bar, in their order.

import type { LinkProps } from '@tanstack/react-router'
import {
  Gift,
  LayoutDashboard,
  type LucideIcon,
  Package,
  ShoppingBag,
  Trophy,
  Tv,
} from 'lucide-react'
import { brand } from '../lib/brand.ts'
import { OutsideLink, type OutsideLinkProps } from '../ui/form/button.tsx'

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

export function ShopLink(props: Pick<OutsideLinkProps, 'className' | 'onClick'>) {
  return (
    <OutsideLink {...props} href={brand.shopUrl}>
      Get More Packs
    </OutsideLink>
  )
}
