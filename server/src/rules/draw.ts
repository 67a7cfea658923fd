// The draw: thresholds, stock and rolls in, one outcome per pack out. It knows no clock, chance or
// SQL.

import { invariant } from '../shared/domain-error.ts'
import { rollRange } from './odds.ts'

/** What one opened pack held. At most one of the two is set. */
export interface Drawn {
  /** Index into the odds table of the prize that was won. */
  readonly won: number | undefined
  /** Index of the prize that was drawn while its stock was 0; the pack then counts as losing. */
  readonly soldOut: number | undefined
}

/** How far a limited prize's stock is used by one request. */
export interface StockUse {
  readonly index: number
  /** Units won. */
  readonly taken: number
  /**
   * True when at least one draw found the prize sold out: the outcome then depends on the exact
   * stock.
   */
  readonly ranOut: boolean
}

export interface DrawResult {
  readonly drawn: readonly Drawn[]
  readonly stockUses: readonly StockUse[]
}

/** The entry whose range holds the roll, or undefined when no prize does. */
export function entryAt(thresholds: readonly number[], roll: number): number | undefined {
  invariant(Number.isInteger(roll) && roll >= 0 && roll < rollRange, 'a roll has 52 bits')
  let low = 0
  let high = thresholds.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (roll < (thresholds[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return low < thresholds.length ? low : undefined
}

/**
 * Draws one pack per roll, independently. `stock` holds the units left by entry index, undefined
 * for an unlimited prize; it counts down win by win, and a prize at 0 gives nothing and passes its
 * share to no other prize.
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
