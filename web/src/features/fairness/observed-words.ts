// Says in plain words how what was drawn compares with what was published.

import type { ObservedPrize } from '@redpack/contract'
import { formatNumber } from '../../lib/format.ts'

const percentFormat = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumSignificantDigits: 3,
})

/** A chance from 0 to 1 as a percentage of three digits. */
export function chanceText(chance: number): string {
  return percentFormat.format(chance)
}

/** Draws that landed on the prize, also while it was sold out: these speak for its chance. */
export function hitsOf({ observedWins, soldOutDraws }: ObservedPrize): number {
  return observedWins + soldOutDraws
}

/** What the draws gave. */
export function observedText(prize: ObservedPrize): string {
  const { draws, soldOutDraws } = prize
  if (draws === 0) return 'no draws yet'
  const hits = hitsOf(prize)
  const share = `${chanceText(hits / draws)}, ${formatNumber(hits)} of ${formatNumber(draws)} packs`
  return soldOutDraws === 0 ? share : `${share} (${formatNumber(soldOutDraws)} while sold out)`
}

/** The chances that these draws do not speak against. */
export function rangeText({ low, high }: ObservedPrize): string {
  // One miss rules certainty out, which rounding must not bring back.
  const isRoundedUp = high < 1 && chanceText(high) === chanceText(1)
  return `${chanceText(low)} to ${isRoundedUp ? 'below ' : ''}${chanceText(high)}`
}
