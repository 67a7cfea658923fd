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
  readonly prizeId: number
  /** Counts the prizes of all pack types from 1 as they came. */
  readonly rank: number
  name: string
  wins: number
  soldOut: number
  readonly byChance: Map<number, ChanceDraws>
}

interface TypeSum {
  draws: number
  readonly prizes: Map<number, PrizeSum>
}

/**
 * The drawn pack types and their prizes, both by id. A draw that found the prize sold out landed on
 * it all the same, so it counts as a hit. `tables` are all that ever were, oldest first, those
 * without draws too: the order in which prizes came must not depend on what was drawn. A prize goes
 * by its newest name.
 */
export function observedPackTypes(tables: readonly TableDraws[]) {
  const types = new Map<number, TypeSum>()
  let prizesSoFar = 0
  for (const table of tables) {
    const type = types.get(table.packTypeId) ?? { draws: 0, prizes: new Map() }
    types.set(table.packTypeId, type)
    for (const { prizeId, name } of table.entries) {
      if (type.prizes.has(prizeId)) continue
      prizesSoFar += 1
      const sum = { prizeId, rank: prizesSoFar, name, wins: 0, soldOut: 0, byChance: new Map() }
      type.prizes.set(prizeId, sum)
    }
    addDraws(type, table)
  }
  return [...types]
    .filter(([, { draws }]) => draws > 0)
    .sort(([left], [right]) => left - right)
    .map(([packTypeId, { draws, prizes }]) => ({
      packTypeId,
      draws,
      prizes: [...prizes.values()]
        .filter(({ byChance }) => byChance.size > 0)
        .sort((left, right) => left.prizeId - right.prizeId)
        .map(observedPrize),
    }))
}

function addDraws(type: TypeSum, { entries, counts }: TableDraws): void {
  const draws = counts.reduce((total, [, wins, soldOut]) => total + wins + soldOut, 0)
  if (draws === 0) return
  type.draws += draws
  const thresholds = thresholdsOf(entries)
  for (const [index, { prizeId, name }] of entries.entries()) {
    const sum = type.prizes.get(prizeId)
    if (sum === undefined) continue
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
