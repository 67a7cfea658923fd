// Says the odds of a pack type in plain words.

import type { OddsEntry, OddsResponse } from '@redpack/contract'

/**
 * A chance (0 to 1) as a percentage with at most three significant digits below 10%, never rounded
 * to 0% or 100% unless it is exactly that.
 */
export function percentText(chance: number): string {
  const percent = chance * 100
  if (percent > 0 && percent < 0.0001) return 'less than 0.0001%'
  if (percent > 99.9 && percent < 100) return 'more than 99.9%'
  const digits = percent >= 10 ? { maximumFractionDigits: 1 } : { maximumSignificantDigits: 3 }
  return `${percent.toLocaleString(undefined, digits)}%`
}

/** A chance as packs: "1 in N packs", with "about" where N is rounded, or "N of 100 packs". */
export function packsText(chance: number): string {
  if (chance >= 1) return 'every pack'
  if (chance > 0.5) {
    const packs = chance * 100
    const rounded = Math.min(99, Math.round(packs))
    return `${isRounded(packs, rounded) ? 'about ' : ''}${rounded} of 100 packs`
  }
  const packs = 1 / chance
  const rounded = Math.round(packs)
  return `${isRounded(packs, rounded) ? 'about ' : ''}1 in ${rounded.toLocaleString()} packs`
}

function isRounded(exact: number, rounded: number): boolean {
  return Math.abs(exact - rounded) / exact > 0.0005
}

/** What stands below the name of a prize. */
export function prizeHint({ chance, soldOut }: OddsEntry): string {
  if (chance <= 0) return 'Cannot be won at the moment.'
  return soldOut ? `Its ${percentText(chance)} counts as no prize.` : packsText(chance)
}

/**
 * The chance that a pack wins nothing right now, the shares of sold-out prizes included. Computed
 * from the entries, so that it always agrees with the sentences next to it.
 */
export function emptyPackChance(odds: OddsResponse): number {
  const winning = odds.entries.reduce((sum, entry) => sum + (entry.soldOut ? 0 : entry.chance), 0)
  // Sums of decimal shares miss whole numbers by a hair.
  const rest = Math.round((1 - winning) * 1e12) / 1e12
  return Math.min(1, Math.max(0, rest))
}

/** What stands below packs without a prize: how many they are, and what they pay. */
export function emptyPackHint(odds: OddsResponse): string {
  const { consolationRedCoin: pay } = odds
  const chance = emptyPackChance(odds)
  if (chance <= 0) return 'Every pack wins a prize.'
  return `${packsText(chance)}, paying ${pay > 0 ? `${pay.toLocaleString()} RedCoin` : 'nothing'}`
}
