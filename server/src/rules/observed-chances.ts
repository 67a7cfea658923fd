// Compares what a prize's draws gave with what its odds tables had promised.

import { type OddsEntry, rollRange, thresholdsOf } from '@redpack/fair/draw'
import { type ChanceDraws, isAlarm, meanChance, soundRange } from './anytime-test.ts'

export interface TableDraws {
  readonly packTypeId: number
  readonly entries: readonly OddsEntry[]
  /** Prize id (0 for none), packs that won it, draws that found it sold out. */
  readonly counts: readonly (readonly [prizeId: number, wins: number, soldOut: number])[]
}

interface PrizeSum {
  readonly packTypeId: number
  readonly prizeId: number
  /** Counts the prizes of all pack types from 1 as they came. */
  readonly rank: number
  name: string
  wins: number
  soldOut: number
  readonly byChance: Map<number, ChanceDraws>
}

/**
 * The drawn pack types and their prizes, both by id. A draw that found the prize sold out landed on
 * it all the same, so it counts as a hit. `tables` are all that ever were, oldest first, those
 * without draws too: the order in which prizes came must not depend on what was drawn. A prize goes
 * by its newest name.
 */
export function observedPackTypes(tables: readonly TableDraws[]) {
  const drawsOfTypes = new Map<number, number>()
  const sums = new Map<string, PrizeSum>()
  for (const { packTypeId, entries, counts } of tables) {
    const draws = counts.reduce((total, [, wins, soldOut]) => total + wins + soldOut, 0)
    drawsOfTypes.set(packTypeId, (drawsOfTypes.get(packTypeId) ?? 0) + draws)
    const thresholds = draws > 0 ? thresholdsOf(entries) : []
    for (const [index, { prizeId, name }] of entries.entries()) {
      const key = `${packTypeId} ${prizeId}`
      const none = { name, wins: 0, soldOut: 0, byChance: new Map() }
      const sum = sums.get(key) ?? { packTypeId, prizeId, rank: sums.size + 1, ...none }
      sums.set(key, sum)
      if (draws === 0) continue
      // The very thresholds of the draw, and a power of two: this is the chance itself, unrounded.
      const chance = ((thresholds[index] ?? 0) - (thresholds[index - 1] ?? 0)) / rollRange
      const [, wins, soldOut] = counts.find(([id]) => id === prizeId) ?? [prizeId, 0, 0]
      const before = sum.byChance.get(chance) ?? { draws: 0, hits: 0 }
      const hits = before.hits + wins + soldOut
      sum.byChance.set(chance, { chance, draws: before.draws + draws, hits })
      sum.name = name
      sum.wins += wins
      sum.soldOut += soldOut
    }
  }
  const prizes = [...sums.values()]
    .filter(({ byChance }) => byChance.size > 0)
    .sort((left, right) => left.prizeId - right.prizeId)
  return [...drawsOfTypes]
    .filter(([, draws]) => draws > 0)
    .sort(([left], [right]) => left - right)
    .map(([packTypeId, draws]) => ({
      packTypeId,
      draws,
      prizes: prizes.filter((prize) => prize.packTypeId === packTypeId).map(observedPrize),
    }))
}

function observedPrize({ prizeId, name, rank, wins, soldOut, byChance }: PrizeSum) {
  const tables = [...byChance.values()]
  return {
    prizeId,
    name,
    publishedChance: meanChance(tables),
    draws: tables.reduce((total, { draws }) => total + draws, 0),
    observedWins: wins,
    soldOutDraws: soldOut,
    ...soundRange(tables, rank),
    isOutside: isAlarm(tables, rank),
  }
}
