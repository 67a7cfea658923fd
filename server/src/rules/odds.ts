// The chances of a pack: exact shares, the integer thresholds a draw compares with, and their text.

/** One prize of an odds table; entries stand in ascending order of `prizeId`. */
export interface OddsEntry {
  readonly prizeId: number
  readonly name: string
  /** Wins per `totalPacks` packs, 1 or more. */
  readonly winFrequency: number
  readonly totalPacks: number
  /** RedCoin the prize pays, 0 for a physical one. */
  readonly redCoinAmount: number
}

/** A prize with everything that winning it pays, as the hash of its table covers it. */
export interface TableEntry extends OddsEntry {
  /** Pack type that a win adds packs of; null exactly when `rewardPackQuantity` is 0. */
  readonly rewardPackTypeId: number | null
  readonly rewardPackQuantity: number
  /** True when the prize has a stock that can run out. */
  readonly limited: boolean
}

/** What a draw is made from: all that decides what an opened pack pays, but the stock. */
export interface OddsTerms<Entry extends TableEntry = TableEntry> {
  readonly packTypeId: number
  /** RedCoin of a losing pack. */
  readonly consolationRedCoin: number
  /** In ascending order of `prizeId`. */
  readonly entries: readonly Entry[]
}

/** A share of draws as an exact fraction. */
interface Share {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Draws are whole numbers from 0 to `rollRange` - 1. */
export const rollBits = 52
export const rollRange = 2 ** rollBits

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b)
}

function add(left: Share, right: Share): Share {
  const numerator = left.numerator * right.denominator + right.numerator * left.denominator
  const denominator = left.denominator * right.denominator
  const divisor = greatestCommonDivisor(numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

function shareOf(entry: OddsEntry): Share {
  const wins = Math.min(entry.winFrequency, entry.totalPacks)
  return { numerator: BigInt(wins), denominator: BigInt(entry.totalPacks) }
}

/** Cumulative shares in table order, scaled so that the last is 1 when their sum is above 1. */
function cumulativeShares(entries: readonly OddsEntry[]): { shares: Share[]; scaled: boolean } {
  let sum: Share = { numerator: 0n, denominator: 1n }
  const shares = entries.map((entry) => {
    sum = add(sum, shareOf(entry))
    return sum
  })
  const total = sum
  if (total.numerator <= total.denominator) return { shares, scaled: false }
  return {
    shares: shares.map((share) => ({
      numerator: share.numerator * total.denominator,
      denominator: share.denominator * total.numerator,
    })),
    scaled: true,
  }
}

/**
 * `T_i = floor(2^52 * c_i)` for the exact cumulative shares c_i: prize i is drawn when
 * `T_(i-1) <= roll < T_i`, none when the roll is at or above the last. Exact in a JavaScript
 * number.
 */
export function oddsThresholds(entries: readonly OddsEntry[]): number[] {
  const range = BigInt(rollRange)
  return cumulativeShares(entries).shares.map(({ numerator, denominator }) =>
    Number((range * numerator) / denominator),
  )
}

export interface Chances {
  /** Real chance per entry, 0 to 1, after scaling. */
  readonly chances: readonly number[]
  readonly scaled: boolean
}

/** The chances as people read them; the draw itself uses the thresholds. */
export function oddsChances(entries: readonly OddsEntry[]): Chances {
  const { scaled } = cumulativeShares(entries)
  const shares = entries.map((entry) => Math.min(1, entry.winFrequency / entry.totalPacks))
  const sum = shares.reduce((total, share) => total + share, 0)
  return { chances: scaled ? shares.map((share) => share / sum) : shares, scaled }
}

/**
 * The canonical text of a table: exactly these keys in this order, no white space. The table's hash
 * is the SHA-256 of its UTF-8 bytes.
 */
export function canonicalTable(terms: OddsTerms): string {
  return JSON.stringify({
    packTypeId: terms.packTypeId,
    consolationRedCoin: terms.consolationRedCoin,
    entries: terms.entries.map((entry) => ({
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
