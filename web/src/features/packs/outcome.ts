// What opening results amount to: their kinds, their totals and the words that tell them.

import type { OpeningResult } from '@redpack/contract'

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

export interface OpeningTotals {
  readonly opened: number
  /** Results that carry a prize id, the number the completion toast speaks of. */
  readonly prizesWon: number
  readonly redCoin: number
  readonly wins: readonly OpeningResult[]
}

export function totalsOf(results: readonly OpeningResult[]): OpeningTotals {
  return {
    opened: results.length,
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
