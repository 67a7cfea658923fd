// The odds table of a pack: its exact text and hash, and which rolls draw which prize.

import { hexOf, utf8 } from './bytes.ts'
import type { Hashing } from './hashing.ts'
import {
  fits,
  isCount,
  isId,
  isText,
  listOf,
  ordered,
  orNull,
  parsed,
  type Shape,
} from './shapes.ts'

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

const entryShape: Shape<TableEntry> = {
  prizeId: isId,
  name: isText,
  winFrequency: isCount,
  totalPacks: isId,
  redCoinAmount: isCount,
  rewardPackTypeId: orNull(isId),
  rewardPackQuantity: isCount,
  limited: (value) => typeof value === 'boolean',
}
const tableShape: Shape<OddsTable> = {
  packTypeId: isId,
  consolationRedCoin: isCount,
  entries: listOf((value) => fits(entryShape, value)),
}

/** A table with its keys in the order of its text. */
export function orderedTable(table: OddsTable): OddsTable {
  const entries = table.entries.map((entry) => ordered(entryShape, entry))
  return ordered(tableShape, { ...table, entries })
}

/**
 * The text of a table that its hash is taken over: exactly these keys in this order, without white
 * space, escaped as `JSON.stringify` does.
 */
export function tableText(table: OddsTable): string {
  return JSON.stringify(orderedTable(table))
}

/** SHA-256 of the UTF-8 of a table's text, in lower-case hex. */
export function tableHash(text: string, { sha256 }: Pick<Hashing, 'sha256'>): string {
  return hexOf(sha256(utf8(text)))
}

/** The table that a text is; undefined when it is none, or not in its one exact form. */
export function tableOfText(text: string): OddsTable | undefined {
  const value = parsed(text)
  return isTable(value) && tableText(value) === text ? value : undefined
}

/** Whether a value is a table: ids ascend, and a pack type is named exactly where packs are won. */
export function isTable(value: unknown): value is OddsTable {
  return (
    fits(tableShape, value) &&
    value.entries.every(
      ({ prizeId, rewardPackTypeId, rewardPackQuantity }, at) =>
        prizeId > (value.entries[at - 1]?.prizeId ?? 0) &&
        (rewardPackTypeId !== null || rewardPackQuantity === 0),
    )
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
