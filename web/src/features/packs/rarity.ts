// How rare a result is, from the published chance of its prize, and what comes of it.

import type { OddsResponse, OpeningResult } from '@redpack/contract'

/** From 0, what every pack may hold, to 3, what hardly anybody wins. */
export type Rarity = 0 | 1 | 2 | 3

/** Published chances (0 to 1) by prize id. */
export type Chances = ReadonlyMap<number, number>

/** A prize with at least this chance is of the rarity that stands beside it. */
const floors: readonly (readonly [chance: number, rarity: Rarity])[] = [
  [0.1, 0],
  [0.02, 1],
  [0.004, 2],
]

export function chancesOf(odds: OddsResponse | undefined): Chances {
  return new Map(odds?.entries.map(({ prizeId, chance }) => [prizeId, chance]))
}

/** Without a published chance the kind of the outcome speaks for it. */
export function rarityOf(result: OpeningResult, chances: Chances): Rarity {
  if (!result.won) return 0
  const chance = result.prizeId === null ? undefined : chances.get(result.prizeId)
  if (chance === undefined) return outcomeKind(result) === 'prize' ? 2 : 1
  return floors.find(([floor]) => chance >= floor)?.[1] ?? 3
}

/** Time a card lies in its growing light before it turns, in milliseconds. */
export const rarityHoldMs: Readonly<Record<Rarity, number>> = { 0: 0, 1: 140, 2: 320, 3: 560 }

/** The results from the least to the best; equals stay in the order in which they were drawn. */
export function worstToBest(
  results: readonly OpeningResult[],
  chances: Chances,
): readonly OpeningResult[] {
  const worth = (result: OpeningResult) =>
    result.won ? 1 + 2 * rarityOf(result, chances) + (outcomeKind(result) === 'prize' ? 1 : 0) : 0
  return [...results].sort(
    (one, other) => worth(one) - worth(other) || one.redCoinEarned - other.redCoinEarned,
  )
}

/** RedCoin for a pack without a prize, a RedCoin prize, or a prize that is handed over. */
export type OutcomeKind = 'redcoin' | 'redcoin-prize' | 'prize'

export function outcomeKind(result: OpeningResult): OutcomeKind {
  if (!result.won) return 'redcoin'
  return result.redCoinEarned > 0 ? 'redcoin-prize' : 'prize'
}

/** The prize's name, or the specification's stand-in where it has none. */
export function prizeName(result: OpeningResult): string {
  return result.prize?.name || 'Mystery Prize'
}

export function totalsOf(results: readonly OpeningResult[]) {
  return {
    opened: results.length,
    // Those that carry a prize id, the number the completion toast speaks of.
    prizesWon: results.filter((result) => result.prizeId).length,
    redCoin: results.reduce((sum, result) => sum + result.redCoinEarned, 0),
    wins: results.filter((result) => result.won),
  }
}

/** Text of the completion toast; '(s)' is printed as it stands. */
export function completionText(results: readonly OpeningResult[]): string {
  const { opened, prizesWon } = totalsOf(results)
  const prizes = prizesWon > 0 ? ` - Won ${prizesWon} prize(s)!` : ''
  return `Opened ${opened} pack(s)${prizes}`
}

/** One result as the live region says it. */
export function spokenResult(
  result: OpeningResult,
  index: number,
  count: number,
  isMasked = false,
): string {
  const place = `Result ${index + 1} of ${count}.`
  if (!result.won) return `${place} No prize. ${result.redCoinEarned} RedCoin earned.`
  const amount = result.redCoinEarned > 0 ? ` ${result.redCoinEarned} RedCoin.` : ''
  const claim = result.claimId ? ` Claim ID ${isMasked ? 'hidden' : result.claimId}.` : ''
  return `${place} Prize won: ${prizeName(result)}.${amount}${claim}`
}
