// What an opening gave, in words and with its look.

import type { FairOpening } from '@redpack/contract'
import { formatRedCoin } from '../../lib/format.ts'

type Outcome = Pick<FairOpening, 'prizeId' | 'soldOut' | 'redCoinEarned'>

/** One line about the outcome of a pack; `prizeName` names the prize that was won or sold out. */
export function outcomeText(
  { prizeId, soldOut, redCoinEarned }: Outcome,
  prizeName: string,
): string {
  if (prizeId !== null) return `Won: ${prizeName}`
  const earned = redCoinEarned > 0 ? `, ${formatRedCoin(redCoinEarned)}` : ''
  if (!soldOut) return `No prize${earned}`
  const prize = prizeName === '' ? 'A sold-out prize' : `${prizeName}, but sold out`
  return `${prize}: counts as no prize${earned}`
}
