// How rare a result is, from the published chance of its prize, and what comes of it.

import type { OddsResponse, OpeningResult } from '@redpack/contract'
import { outcomeKind } from './outcome.ts'

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
