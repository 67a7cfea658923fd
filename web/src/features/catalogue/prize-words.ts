// What a prize says about itself on its card.

import type { AdminPrize } from '@redpack/contract'
import { formatNumber } from '../../lib/format.ts'

/** A share in percent with two decimals: 1 in 3 reads '33.33%'. */
export function percentText(share: number): string {
  return `${(share * 100).toFixed(2)}%`
}

/** Whether the prize pays RedCoin; one without is a physical prize. */
export function isRedCoinPrize({ redCoinAmount }: Pick<AdminPrize, 'redCoinAmount'>): boolean {
  return redCoinAmount > 0
}

/** The sentence under a prize's name. */
export function descriptionOf(prize: Pick<AdminPrize, 'redCoinAmount' | 'description'>): string {
  if (isRedCoinPrize(prize)) {
    return `Win ${formatNumber(prize.redCoinAmount)} RedCoin instantly added to your balance`
  }
  return prize.description.trim() === ''
    ? 'Physical prize - check claim instructions'
    : prize.description
}

type Frequency = Pick<AdminPrize, 'winFrequency' | 'totalPacks'>

/** '1 wins in 10 packs (10.00%)'. */
export function frequencyText({ winFrequency, totalPacks }: Frequency): string {
  const share = totalPacks > 0 ? winFrequency / totalPacks : 0
  return `${formatNumber(winFrequency)} wins in ${formatNumber(totalPacks)} packs (${percentText(share)})`
}

/** 'Unlimited', or how many units are left. */
export function stockText(stock: number | null): string {
  return stock === null ? 'Unlimited' : formatNumber(stock)
}
