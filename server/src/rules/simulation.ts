// Opens packs that nobody has: the very draw of the product, with rolls that are thrown away.

import { entryAt } from '@redpack/fair/draw'

export interface SimulationInput {
  /** Thresholds of the odds table. */
  readonly thresholds: readonly number[]
  /** Units left by entry, null for unlimited. */
  readonly stock: readonly (number | null)[]
  readonly openings: number
}

/** What happened to one entry of the odds table. */
export interface SimulatedEntry {
  readonly wins: number
  /** Draws that found the stock gone. */
  readonly soldOut: number
  /** Number of the opening, from 1, that took the last unit. */
  readonly soldOutAtOpening: number | null
}

export interface SimulationCounts {
  readonly entries: readonly SimulatedEntry[]
  /** Packs that gave nothing but the consolation. */
  readonly losingPacks: number
}

/** Runs a simulation somewhere where it is in nobody's way. */
export type RunSimulation = (input: SimulationInput) => Promise<SimulationCounts>

/** Opens packs one after the other; `roll` gives whole numbers of 52 bits. */
export function simulateOpenings(input: SimulationInput, roll: () => number): SimulationCounts {
  const left = [...input.stock]
  const entries = input.stock.map(() => ({
    wins: 0,
    soldOut: 0,
    soldOutAtOpening: null as number | null,
  }))
  let losingPacks = 0
  for (let opening = 1; opening <= input.openings; opening += 1) {
    const index = entryAt(input.thresholds, roll()) ?? -1
    const entry = entries[index]
    if (entry === undefined) {
      losingPacks += 1
      continue
    }
    const units = left[index] ?? null
    if (units === 0) {
      entry.soldOut += 1
      losingPacks += 1
      continue
    }
    entry.wins += 1
    if (units === null) continue
    left[index] = units - 1
    if (units === 1) entry.soldOutAtOpening = opening
  }
  return { entries, losingPacks }
}
