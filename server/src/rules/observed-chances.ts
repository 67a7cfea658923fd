// Compares what a prize's draws gave with what its odds tables had promised.

import { type OddsEntry, oddsChances } from './odds.ts'

/** What was drawn from one odds table. */
export interface TableDraws {
  readonly entries: readonly OddsEntry[]
  /** Prize id (0 for none), packs that won it, draws that found it sold out. */
  readonly counts: readonly (readonly [prizeId: number, wins: number, soldOut: number])[]
}

export interface ObservedPrize {
  readonly prizeId: number
  readonly name: string
  /** Mean of the published chances over the draws, 0 to 1. */
  readonly publishedChance: number
  /** Packs drawn while the prize stood in the table. */
  readonly draws: number
  readonly observedWins: number
  readonly soldOutDraws: number
  /** 99 % range for the chance that the draws point to. */
  readonly low: number
  readonly high: number
  /** True when the published chance lies outside the range. */
  readonly isOutside: boolean
}

/** Quantile of the normal distribution that leaves 0.5 % on each side. */
const z99 = 2.5758293035489004

/**
 * The Wilson score interval at 99 % for `hits` out of `draws` (1 or more); it stays sound for rare
 * prizes and few draws. E. B. Wilson, Journal of the American Statistical Association 22, 1927.
 */
export function wilsonRange(hits: number, draws: number): { low: number; high: number } {
  const share = hits / draws
  const square = z99 * z99
  const centre = share + square / (2 * draws)
  const reach = z99 * Math.sqrt((share * (1 - share) + square / (4 * draws)) / draws)
  const scale = 1 + square / draws
  return {
    low: hits === 0 ? 0 : Math.max(0, (centre - reach) / scale),
    high: hits === draws ? 1 : Math.min(1, (centre + reach) / scale),
  }
}

interface Sum {
  name: string
  draws: number
  expected: number
  wins: number
  soldOut: number
}

/**
 * One row per prize of a pack type, by prize id. A draw that found the prize sold out landed on it
 * all the same, so it counts as a hit. `tables` stand oldest first: a prize goes by its newest
 * name.
 */
export function observedPrizes(tables: readonly TableDraws[]): ObservedPrize[] {
  const sums = new Map<number, Sum>()
  for (const table of tables) addTable(sums, table)
  return [...sums]
    .sort(([left], [right]) => left - right)
    .map(([prizeId, { name, draws, expected, wins, soldOut }]) => {
      const publishedChance = expected / draws
      const { low, high } = wilsonRange(wins + soldOut, draws)
      const isOutside = publishedChance < low || publishedChance > high
      return {
        prizeId,
        name,
        publishedChance,
        draws,
        observedWins: wins,
        soldOutDraws: soldOut,
        low,
        high,
        isOutside,
      }
    })
}

function addTable(sums: Map<number, Sum>, { entries, counts }: TableDraws): void {
  const draws = drawsOf(counts)
  if (draws === 0) return
  const { chances } = oddsChances(entries)
  for (const [index, { prizeId, name }] of entries.entries()) {
    const sum = sums.get(prizeId) ?? { name, draws: 0, expected: 0, wins: 0, soldOut: 0 }
    const [, wins, soldOut] = counts.find(([id]) => id === prizeId) ?? [prizeId, 0, 0]
    sums.set(prizeId, {
      name,
      draws: sum.draws + draws,
      expected: sum.expected + draws * (chances[index] ?? 0),
      wins: sum.wins + wins,
      soldOut: sum.soldOut + soldOut,
    })
  }
}

/** Packs that were drawn, whatever they held. */
export function drawsOf(counts: TableDraws['counts']): number {
  return counts.reduce((total, [, wins, soldOut]) => total + wins + soldOut, 0)
}
