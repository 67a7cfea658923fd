// The draw of one opening request: its rolls, what each pack gives, and whether what was told of a
// pack is what its roll gives.

import { hexOf, utf8 } from './bytes.ts'
import type { Hashing } from './hashing.ts'
import { entryAt, type OddsTable } from './odds.ts'

const rollHexDigits = 13

/** The commitment to a server seed: its SHA-256 in lower-case hex. */
export function commitmentOf(seed: Uint8Array, { sha256 }: Pick<Hashing, 'sha256'>): string {
  return hexOf(sha256(seed))
}

export interface RollTerms {
  /** The server seed, 32 bytes. */
  readonly seed: Uint8Array
  /** 32 bytes of the browser, or of the server for who sent none, in lower-case hex. */
  readonly entropy: string
  readonly tableHash: string
}

/**
 * The rolls of a request, pack by pack: the first 52 bits of `HMAC-SHA256(seed, entropy ":" i ":"
 * tableHash)`, i from 0.
 */
export function rollsOf(
  { seed, entropy, tableHash }: RollTerms,
  quantity: number,
  { hmacSha256 }: Pick<Hashing, 'hmacSha256'>,
): number[] {
  return Array.from({ length: quantity }, (_, index) => {
    const digest = hmacSha256(seed, utf8(`${entropy}:${index}:${tableHash}`))
    return Number.parseInt(hexOf(digest.subarray(0, 7)).slice(0, rollHexDigits), 16)
  })
}

/** What one opened pack held. At most one of the two is set. */
export interface Drawn {
  /** Index into the table of the prize that was won. */
  readonly won: number | undefined
  /** Index of the prize that was drawn while its stock was 0; the pack then counts as losing. */
  readonly soldOut: number | undefined
}

/** How far the stock of a limited prize is used by one request. */
export interface StockUse {
  readonly index: number
  /** Units won. */
  readonly taken: number
  /** True when a draw found the prize sold out: the outcome then depends on the exact stock. */
  readonly ranOut: boolean
}

export interface DrawResult {
  readonly drawn: readonly Drawn[]
  /** In the order of the table. */
  readonly stockUses: readonly StockUse[]
}

/**
 * Draws one pack per roll, independently. `stock` holds the units left by index into the table,
 * undefined for an unlimited prize; it counts down win by win, and a prize at 0 gives nothing and
 * passes its share to no other prize.
 */
export function drawPacks(
  thresholds: readonly number[],
  stock: readonly (number | undefined)[],
  rolls: readonly number[],
): DrawResult {
  const left = new Map<number, number>()
  const uses = new Map<number, { taken: number; ranOut: boolean }>()
  const drawn = rolls.map((roll): Drawn => {
    const index = entryAt(thresholds, roll)
    if (index === undefined) return { won: undefined, soldOut: undefined }
    const units = left.get(index) ?? stock[index]
    if (units === undefined) return { won: index, soldOut: undefined }
    const use = uses.get(index) ?? { taken: 0, ranOut: false }
    uses.set(index, use)
    if (units < 1) {
      use.ranOut = true
      return { won: undefined, soldOut: index }
    }
    use.taken += 1
    left.set(index, units - 1)
    return { won: index, soldOut: undefined }
  })
  const stockUses = [...uses].map(([index, use]) => ({ index, ...use }))
  return { drawn, stockUses: stockUses.sort((a, b) => a.index - b.index) }
}

/** What was told of one pack. */
export interface ToldResult {
  readonly prizeId: number | null
  /**
   * The limited prize that was drawn while its stock was 0. The answer to an opening does not tell
   * it; the log and the proof file do.
   */
  readonly soldOutPrizeId?: number | null | undefined
  readonly redCoinEarned: number
}

/** What is wrong with a told result: another prize than the roll gives, or another payment. */
export type ResultFault = 'result' | 'pay'

/**
 * Compares what was told of a pack with what its roll gives under a table. Whether a stock was
 * really at 0 only the log can tell; a prize without an end to its stock is never sold out.
 */
export function faultOfResult(
  table: OddsTable,
  thresholds: readonly number[],
  roll: number,
  { prizeId, soldOutPrizeId, redCoinEarned }: ToldResult,
): ResultFault | undefined {
  const index = entryAt(thresholds, roll)
  const entry = index === undefined ? undefined : table.entries[index]
  const noneSoldOut = (soldOutPrizeId ?? null) === null
  const isWon = entry !== undefined && prizeId === entry.prizeId && noneSoldOut
  const isSoldOut =
    entry?.limited === true &&
    prizeId === null &&
    (soldOutPrizeId === undefined || soldOutPrizeId === entry.prizeId)
  const isNothing = entry === undefined && prizeId === null && noneSoldOut
  if (!isWon && !isSoldOut && !isNothing) return 'result'
  const due = isWon ? entry.redCoinAmount : table.consolationRedCoin
  return redCoinEarned === due ? undefined : 'pay'
}
