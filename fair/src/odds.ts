// The odds table of a pack: its exact text and hash, and which rolls draw which prize.

import { hexOf, utf8 } from './bytes.ts'
import type { Hashing } from './hashing.ts'

/** One prize of a table, with everything that winning it pays. */
export interface TableEntry {
  readonly prizeId: number
  readonly name: string
  /** Wins per `totalPacks` packs; more than `totalPacks` counts as all of them. */
  readonly winFrequency: number
  readonly totalPacks: number
  /** RedCoin that the prize pays, 0 for a physical one. */
  readonly redCoinAmount: number
  /** Pack type that a win adds packs of; null exactly when `rewardPackQuantity` is 0. */
  readonly rewardPackTypeId: number | null
  readonly rewardPackQuantity: number
  /** True when the prize has a stock that can run out. */
  readonly limited: boolean
}

/** A prize of a table, without what it pays besides RedCoin. */
export type OddsEntry = Omit<TableEntry, 'rewardPackTypeId' | 'rewardPackQuantity' | 'limited'>

/** All that decides what an opened pack pays, but the stock. */
export interface OddsTable {
  readonly packTypeId: number
  /** RedCoin of a losing pack. */
  readonly consolationRedCoin: number
  /** In ascending order of `prizeId`. */
  readonly entries: readonly TableEntry[]
}

/** Rolls are whole numbers from 0 to `rollRange` - 1. */
export const rollRange = 2 ** 52

/**
 * The text of a table that its hash is taken over: exactly these keys in this order, without white
 * space, escaped as `JSON.stringify` does.
 */
export function tableText({ packTypeId, consolationRedCoin, entries }: OddsTable): string {
  return JSON.stringify({
    packTypeId,
    consolationRedCoin,
    entries: entries.map((entry) => ({
      prizeId: entry.prizeId,
      name: entry.name,
      winFrequency: entry.winFrequency,
      totalPacks: entry.totalPacks,
      redCoinAmount: entry.redCoinAmount,
      rewardPackTypeId: entry.rewardPackTypeId,
      rewardPackQuantity: entry.rewardPackQuantity,
      limited: entry.limited,
    })),
  })
}

/** SHA-256 of the UTF-8 of a table's text, in lower-case hex. */
export function tableHash(text: string, { sha256 }: Pick<Hashing, 'sha256'>): string {
  return hexOf(sha256(utf8(text)))
}

/** The table that a text is; undefined when it is none, or not in its one exact form. */
export function tableOfText(text: string): OddsTable | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return isTable(value) && tableText(value) === text ? value : undefined
}

const isCount = (value: unknown, min: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= min

function isTable(value: unknown): value is OddsTable {
  if (typeof value !== 'object' || value === null) return false
  const { packTypeId, consolationRedCoin, entries } = value as OddsTable
  if (!isCount(packTypeId, 1) || !isCount(consolationRedCoin, 0)) return false
  let before = 0
  return (
    Array.isArray(entries) &&
    entries.every((entry: unknown) => {
      if (!isEntry(entry) || entry.prizeId <= before) return false
      before = entry.prizeId
      return true
    })
  )
}

function isEntry(value: unknown): value is TableEntry {
  if (typeof value !== 'object' || value === null) return false
  const entry = value as TableEntry
  const { rewardPackTypeId, rewardPackQuantity } = entry
  return (
    isCount(entry.prizeId, 1) &&
    typeof entry.name === 'string' &&
    isCount(entry.winFrequency, 0) &&
    isCount(entry.totalPacks, 1) &&
    isCount(entry.redCoinAmount, 0) &&
    isCount(rewardPackQuantity, 0) &&
    (rewardPackTypeId === null ? rewardPackQuantity === 0 : isCount(rewardPackTypeId, 1)) &&
    typeof entry.limited === 'boolean'
  )
}

/** What of an entry decides how often it is drawn. */
export type Share = Pick<TableEntry, 'winFrequency' | 'totalPacks'>

/**
 * `T_i = floor(2^52 * c_i)` for the exact cumulative shares c_i of
 * min(1, winFrequency / totalPacks), scaled to end at 1 when their sum is above 1. Prize i is drawn
 * when `T_(i-1) <= roll < T_i`, none when the roll is at or above the last. Exact in a JavaScript
 * number.
 */
export function thresholdsOf(entries: readonly Share[]): number[] {
  const { sums, above, below } = exactSums(entries)
  const [scaleAbove, scaleBelow] = above > below ? [below, above] : [1n, 1n]
  return sums.map((sum) =>
    Number((BigInt(rollRange) * sum.above * scaleAbove) / (sum.below * scaleBelow)),
  )
}

/** The chance of each entry as people read it, 0 to 1 after scaling; draws use the thresholds. */
export function chancesOf(entries: readonly Share[]): { chances: number[]; scaled: boolean } {
  const { above, below } = exactSums(entries)
  const scaled = above > below
  const shares = entries.map(({ winFrequency, totalPacks }) =>
    Math.min(1, winFrequency / totalPacks),
  )
  const sum = shares.reduce((total, share) => total + share, 0)
  return { chances: scaled ? shares.map((share) => share / sum) : shares, scaled }
}

/** Cumulative shares as fractions in lowest terms, so that long tables stay quick; and the last. */
function exactSums(entries: readonly Share[]) {
  let [above, below] = [0n, 1n]
  const sums = entries.map(({ winFrequency, totalPacks }) => {
    const packs = BigInt(totalPacks)
    above = above * packs + BigInt(Math.min(winFrequency, totalPacks)) * below
    below *= packs
    const divisor = greatestCommonDivisor(above, below)
    above /= divisor
    below /= divisor
    return { above, below }
  })
  return { sums, above, below }
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other]
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}

/** Index of the entry whose share holds a roll, undefined when none does. */
export function entryAt(thresholds: readonly number[], roll: number): number | undefined {
  let low = 0
  let high = thresholds.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (roll < (thresholds[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return low < thresholds.length ? low : undefined
}
