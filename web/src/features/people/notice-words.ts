// What a notice says, and where it leads.

import type { Notice } from '@redpack/contract'
import type { LinkProps } from '@tanstack/react-router'
import {
  CircleCheck,
  Clock,
  Coins,
  LoaderCircle,
  type LucideIcon,
  MapPin,
  MessagesSquare,
  PackagePlus,
  Tv,
} from 'lucide-react'
import { formatList, formatNumber, formatRedCoin, plural } from '../../lib/format.ts'

export interface NoticeWords {
  readonly text: string
  readonly Icon: LucideIcon
  readonly to: LinkProps['to']
}

export function noticeWords(notice: Notice): NoticeWords {
  const { kind, subject, redCoin, packs } = notice
  const name = subject ?? ''
  switch (kind) {
    case 'claim_status':
      return claimWords(name, notice.status)
    case 'delivery_wanted':
      return { text: `Tell us where your ${name} goes`, Icon: MapPin, to: '/my-prizes' }
    case 'watch_reward':
      return {
        text: `You earned ${gains(packs, redCoin)} by watching ${name}`,
        Icon: Tv,
        to: '/twitch-streams',
      }
    case 'packs_granted':
      return {
        text: `You were given ${formatNumber(packs)} × ${name}`,
        Icon: PackagePlus,
        to: '/inventory',
      }
    case 'red_coin_granted':
      return { text: `You were given ${formatRedCoin(redCoin)}`, Icon: Coins, to: '/history' }
    case 'red_coin_removed':
      return {
        text: `Staff took back ${formatRedCoin(Math.abs(redCoin))}`,
        Icon: Coins,
        to: '/history',
      }
    case 'discord_reward':
      return {
        text: `You earned ${formatRedCoin(redCoin)} on Discord`,
        Icon: MessagesSquare,
        to: '/history',
      }
  }
}

function claimWords(name: string, status: Notice['status']): NoticeWords {
  const to = '/my-prizes'
  if (status === 'completed') return { text: `Your ${name} is completed`, Icon: CircleCheck, to }
  if (status === 'processing') {
    return { text: `Your ${name} is being handled`, Icon: LoaderCircle, to }
  }
  return { text: `Your ${name} is waiting to be handled again`, Icon: Clock, to }
}

/** A completion may pay packs, RedCoin, both, or nothing but the fame. */
function gains(packs: number, redCoin: number): string {
  const parts = [
    ...(packs > 0 ? [plural(packs, 'pack', 'packs')] : []),
    ...(redCoin > 0 ? [formatRedCoin(redCoin)] : []),
  ]
  return parts.length === 0 ? 'a reward' : formatList(parts)
}
