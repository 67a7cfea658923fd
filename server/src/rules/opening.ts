// What a finished draw means in prizes, RedCoin, packs and stock: the decision between read and
// write.

import type { DeliveryTerms } from '@redpack/contract/delivery-rules'
import { type DrawResult, drawPacks, type OddsTable, type TableEntry } from '@redpack/fair/draw'

/** A prize as an opening needs it: its place in the odds and all that winning it brings. */
export interface OpenablePrize extends TableEntry {
  readonly description: string
  readonly claimInstructions: string
  readonly imageData: string | null
  readonly imageType: string | null
  /** Names the picture for the claim of a win; null for no picture. */
  readonly imageHash: string | null
  /** Besides the packs that come with it, something is sent. */
  readonly isAlsoSent: boolean
  /** What holds for sending it; null where nothing is sent. */
  readonly delivery: DeliveryTerms | null
  /** A win is given a code in the transaction that writes it. */
  readonly deliversCodes: boolean
}

/** The outcome of one pack. */
export interface OpenedPack {
  readonly prize: OpenablePrize | undefined
  readonly soldOutPrizeId: number | null
  /** The prize's RedCoin, or the consolation of a losing pack. */
  readonly redCoinEarned: number
  /** Which win of its limited prize in this request it is, from 1; null for all else. */
  readonly winOfStock: number | null
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

interface StockChange {
  readonly prizeId: number
  readonly taken: number
  /**
   * Stock that must still be there exactly, since a draw ran into its end; null when more is fine.
   */
  readonly exactly: number | null
}

interface OpeningTerms {
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
  const wins = new Map<number | undefined, number>()
  const packs = result.drawn.map(({ won, soldOut }): OpenedPack => {
    const prize = won === undefined ? undefined : terms.prizes[won]
    const isLimited = won !== undefined && stock[won] !== undefined
    const count = (wins.get(won) ?? 0) + 1
    wins.set(won, count)
    return {
      prize,
      soldOutPrizeId: soldOut === undefined ? null : (terms.prizes[soldOut]?.prizeId ?? null),
      redCoinEarned: prize === undefined ? terms.consolationRedCoin : prize.redCoinAmount,
      winOfStock: isLimited ? count : null,
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
    if (prize === undefined || prize.rewardPackTypeId === null) continue
    const before = rewards.get(prize.rewardPackTypeId) ?? 0
    rewards.set(prize.rewardPackTypeId, before + prize.rewardPackQuantity)
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

/**
 * The most that `quantity` packs of a table can pay, whatever is drawn: RedCoin, beyond 2^53 where
 * a table says so, and packs by pack type id. An opening that could not be paid is refused by this,
 * so that a refusal says nothing about the roll.
 */
export function largestPay(
  { entries, consolationRedCoin }: Pick<OddsTable, 'entries' | 'consolationRedCoin'>,
  quantity: number,
) {
  const count = BigInt(quantity)
  const redCoin = Math.max(consolationRedCoin, ...entries.map((entry) => entry.redCoinAmount))
  const packs = new Map<number, bigint>()
  for (const { rewardPackTypeId: id, rewardPackQuantity } of entries) {
    if (id === null) continue
    const most = count * BigInt(rewardPackQuantity)
    if (most > (packs.get(id) ?? 0n)) packs.set(id, most)
  }
  return { redCoin: count * BigInt(redCoin), packs }
}

/** RedCoin and packs are delivered when they are won; everything else waits for staff. */
export function claimStateWhenWon(prize: OpenablePrize): 'pending' | 'completed' {
  if (prize.redCoinAmount > 0 || prize.deliversCodes) return 'completed'
  return prize.rewardPackQuantity > 0 && !prize.isAlsoSent ? 'completed' : 'pending'
}

/**
 * 32 characters, five bits each without bias; 0, 1, I and O are left out because they look alike.
 */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/**
 * Random bytes one Claim ID is made from. Eight characters are 40 bits: a name for a claim,
 * never a key to it, since every call checks whose claim it is.
 */
export const claimIdBytes = 8

/** `PR-` and 8 characters. `bytes` must hold `claimIdBytes` random bytes; each gives five bits. */
export function claimIdFrom(bytes: Uint8Array): string {
  return `PR-${Array.from(bytes, (byte) => alphabet[byte & 31]).join('')}`
}
