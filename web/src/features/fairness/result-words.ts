// What an opening gave, in words and with its look.

import type { FairOpening } from '@redpack/contract'
import { formatRedCoin } from '../../lib/format.ts'

type Outcome = Pick<FairOpening, 'prizeId' | 'soldOut' | 'redCoinEarned'>

/** One line about the outcome of a pack; `prizeName` is used only where a prize was won. */
export function outcomeText(
  { prizeId, soldOut, redCoinEarned }: Outcome,
  prizeName: string,
): string {
  if (prizeId !== null) return `Won: ${prizeName}`
  const earned = redCoinEarned > 0 ? `, ${formatRedCoin(redCoinEarned)}` : ''
  return `${soldOut ? 'A sold-out prize: counts as no prize' : 'No prize'}${earned}`
}
