// What a finished draw means in prizes, RedCoin, packs and stock: the decision between read and
// write.

import { type DrawResult, drawPacks } from './draw.ts'
import type { OddsEntry } from './odds.ts'

/** A prize as an opening needs it: its place in the odds and all that winning it brings. */
export interface OpenablePrize extends OddsEntry {
  readonly description: string
  readonly claimInstructions: string
  readonly imageData: string | null
  readonly imageType: string | null
  /** Pack type given on a win, with `rewardQuantity` above 0. */
  readonly rewardPackTypeId: number | null
  readonly rewardQuantity: number
}

/** The outcome of one pack. */
export interface OpenedPack {
  readonly prize: OpenablePrize | undefined
  readonly soldOutPrizeId: number | null
  /** The prize's RedCoin, or the consolation of a losing pack. */
  readonly redCoinEarned: number
}

export interface OpeningOutcome {
  readonly packs: readonly OpenedPack[]
  readonly redCoinTotal: number
  /** Sum of the consolation over all losing packs. */
  readonly consolationTotal: number
  /** Packs won, by pack type id. */
  readonly rewards: ReadonlyMap<number, number>
  /**
   * Limited prizes this request touched, ascending by prize id: the order in which they are locked.
   */
  readonly stock: readonly StockChange[]
}

export interface StockChange {
  readonly prizeId: number
  readonly taken: number
  /**
   * Stock that must still be there exactly, since a draw ran into its end; null when more is fine.
   */
  readonly exactly: number | null
}

export interface OpeningTerms {
  readonly prizes: readonly OpenablePrize[]
  readonly thresholds: readonly number[]
  /** Units left by prize id; unlimited prizes are absent. */
  readonly stock: ReadonlyMap<number, number>
  readonly consolationRedCoin: number
}

/** Draws one pack per roll under the terms and adds up what follows. */
export function openUnderTerms(terms: OpeningTerms, rolls: readonly number[]): OpeningOutcome {
  const stock = terms.prizes.map(({ prizeId }) => terms.stock.get(prizeId))
  const result = drawPacks(terms.thresholds, stock, rolls)
  const packs = result.drawn.map(({ won, soldOut }): OpenedPack => {
    const prize = won === undefined ? undefined : terms.prizes[won]
    return {
      prize,
      soldOutPrizeId: soldOut === undefined ? null : (terms.prizes[soldOut]?.prizeId ?? null),
      redCoinEarned: prize === undefined ? terms.consolationRedCoin : prize.redCoinAmount,
    }
  })
  const losing = packs.filter(({ prize }) => prize === undefined).length
  return {
    packs,
    redCoinTotal: packs.reduce((total, { redCoinEarned }) => total + redCoinEarned, 0),
    consolationTotal: losing * terms.consolationRedCoin,
    rewards: addRewards(packs),
    stock: stockChanges(terms, result, stock),
  }
}

function addRewards(packs: readonly OpenedPack[]): Map<number, number> {
  const rewards = new Map<number, number>()
  for (const { prize } of packs) {
    if (prize === undefined || prize.rewardPackTypeId === null || prize.rewardQuantity < 1) continue
    const before = rewards.get(prize.rewardPackTypeId) ?? 0
    rewards.set(prize.rewardPackTypeId, before + prize.rewardQuantity)
  }
  return rewards
}

function stockChanges(
  terms: OpeningTerms,
  result: DrawResult,
  stock: readonly (number | undefined)[],
): StockChange[] {
  return result.stockUses.map(({ index, taken, ranOut }) => ({
    prizeId: terms.prizes[index]?.prizeId ?? 0,
    taken,
    exactly: ranOut ? (stock[index] ?? null) : null,
  }))
}
