// The odds table of a draw: its exact text, and which share of the rolls draws which prize.

/** One prize of the table a draw was made from. */
export interface TableEntry {
  readonly prizeId: number
  readonly name: string
  readonly winFrequency: number
  readonly totalPacks: number
  readonly redCoinAmount: number
  /** The rest is part of tables of scheme 2 only. */
  readonly rewardPackTypeId?: number | null
  readonly rewardPackQuantity?: number
  readonly limited?: boolean
}

export interface DrawTable {
  readonly packTypeId: number
  /** What a pack without prize pays; absent in tables of scheme 1. */
  readonly consolationRedCoin?: number
  readonly entries: readonly TableEntry[]
}

/** The share of rolls that draws one prize: `from` included, `to` excluded. */
export interface RollRange {
  readonly entry: TableEntry
  readonly from: bigint
  readonly to: bigint
}

/** Rolls are whole numbers from 0 to 2^52 - 1. */
export const rollCount = 2n ** 52n
const rollHexDigits = 13

/** The roll that a digest gives, from its first 52 bits. */
export function rollOf(digestHex: string): bigint {
  return BigInt(`0x${digestHex.slice(0, rollHexDigits)}`)
}

/** What a roll is the HMAC of. Scheme 2 binds it to the table, so that it fits no other pack. */
export function rollMessage(
  scheme: number,
  clientSeed: string,
  nonce: number,
  tableHash: string,
): string {
  return scheme === 1 ? `${clientSeed}:${nonce}` : `${clientSeed}:${nonce}:${tableHash}`
}

/** The text the table's hash is taken over: these keys in this order, no white space. */
export function canonicalTable({ packTypeId, consolationRedCoin, entries }: DrawTable): string {
  const isFirst = consolationRedCoin === undefined
  return JSON.stringify({
    packTypeId,
    ...(!isFirst && { consolationRedCoin }),
    entries: entries.map((entry) => ({
      prizeId: entry.prizeId,
      name: entry.name,
      winFrequency: entry.winFrequency,
      totalPacks: entry.totalPacks,
      redCoinAmount: entry.redCoinAmount,
      ...(!isFirst && {
        rewardPackTypeId: entry.rewardPackTypeId,
        rewardPackQuantity: entry.rewardPackQuantity,
        limited: entry.limited,
      }),
    })),
  })
}

/** Prizes in ascending order of their ids, each with a share that can be computed. */
export function isTable({ entries }: DrawTable): boolean {
  return entries.every(
    ({ prizeId, winFrequency, totalPacks }, index) =>
      Number.isSafeInteger(winFrequency) &&
      Number.isSafeInteger(totalPacks) &&
      winFrequency >= 0 &&
      totalPacks > 0 &&
      prizeId > (entries[index - 1]?.prizeId ?? Number.NEGATIVE_INFINITY),
  )
}

/**
 * The range of rolls of each prize: `T_i = floor(2^52 * c_i)` for the exact cumulative shares c_i
 * of min(1, winFrequency / totalPacks), scaled to end at 1 when their sum is above 1.
 */
export function rollRanges(entries: readonly TableEntry[]): RollRange[] {
  // All shares over one common denominator, so that every sum is a sum of whole numbers.
  const whole = entries.reduce((product, { totalPacks }) => product * BigInt(totalPacks), 1n)
  let sum = 0n
  const sums = entries.map(({ winFrequency, totalPacks }) => {
    sum += (whole / BigInt(totalPacks)) * BigInt(Math.min(winFrequency, totalPacks))
    return sum
  })
  const denominator = sum > whole ? sum : whole
  let from = 0n
  return entries.map((entry, index) => {
    const to = (rollCount * (sums[index] ?? 0n)) / denominator
    const range = { entry, from, to }
    from = to
    return range
  })
}

/** The entry whose range holds a roll, null when none does. */
export function drawnAt(ranges: readonly RollRange[], roll: bigint): TableEntry | null {
  return ranges.find(({ from, to }) => from <= roll && roll < to)?.entry ?? null
}

export interface DrawOutcome {
  /** The prize that was won, null for none. */
  readonly prizeId: number | null
  /** True when the draw landed on a prize whose stock was 0: the pack then counts as losing. */
  readonly soldOut: boolean
  /** That prize; absent in what was written before it was kept. */
  readonly soldOutPrizeId?: number | null
  /** Absent where the log does not tell. */
  readonly redCoinEarned?: number
}

/**
 * Whether a draw is what was told of it: the prize won, one that was sold out, or none, and what it
 * paid. Tables of scheme 1 say nothing about the consolation.
 */
export function isOutcomeOf(
  drawn: TableEntry | null,
  { consolationRedCoin }: Pick<DrawTable, 'consolationRedCoin'>,
  { prizeId, soldOut, soldOutPrizeId, redCoinEarned }: DrawOutcome,
): boolean {
  const isPaid = (amount: number | undefined) =>
    amount === undefined || redCoinEarned === undefined || redCoinEarned === amount
  const isWon = drawn !== null && !soldOut
  if (isWon) {
    return (
      prizeId === drawn.prizeId && (soldOutPrizeId ?? null) === null && isPaid(drawn.redCoinAmount)
    )
  }
  if (prizeId !== null || !isPaid(consolationRedCoin)) return false
  if (drawn === null) return !soldOut && (soldOutPrizeId ?? null) === null
  const isNamed =
    soldOutPrizeId === drawn.prizeId ||
    ((soldOutPrizeId ?? null) === null && consolationRedCoin === undefined)
  // A prize without an end to its stock is never sold out.
  return isNamed && drawn.limited !== false
}
