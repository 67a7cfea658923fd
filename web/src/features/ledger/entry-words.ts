// What each kind of change of the balance is called, and how it looks.

import { type RedCoinEntry, redCoinTypes } from '@redpack/contract'
import {
  Coins,
  Gift,
  type LucideIcon,
  MessagesSquare,
  Minus,
  Plus,
  Scale,
  ShoppingBag,
  Trophy,
  Tv,
} from 'lucide-react'
import type { EntryFilter } from './history-queries.ts'

interface Words {
  readonly label: string
  readonly Icon: LucideIcon
}

export const entryWords: Readonly<Record<RedCoinEntry['type'], Words>> = {
  prize_win: { label: 'Prize', Icon: Trophy },
  pack_consolation: { label: 'Consolation', Icon: Coins },
  store_purchase: { label: 'Store purchase', Icon: ShoppingBag },
  watch_reward: { label: 'Watch reward', Icon: Tv },
  discord_reward: { label: 'Discord reward', Icon: MessagesSquare },
  admin_grant: { label: 'Given by staff', Icon: Plus },
  admin_removal: { label: 'Removed by staff', Icon: Minus },
  opening_balance: { label: 'Opening balance', Icon: Scale },
}

export const emptyPicture = Gift

/** The choices of the filter, everything first. */
export const filterChoices: readonly { readonly value: EntryFilter; readonly label: string }[] = [
  { value: 'all', label: 'All changes' },
  ...redCoinTypes.map((value) => ({ value, label: entryWords[value].label })),
]

/** Why the balance changed; entries without words of their own have their kind. */
export function reasonOf({ description, type }: RedCoinEntry): string {
  return description.trim() === '' ? entryWords[type].label : description
}
