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
