// What a draw means in prizes, RedCoin, packs and stock.

import { rollRange, thresholdsOf } from '@redpack/fair/draw'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claimStateWhenWon, largestPay, type OpenablePrize, openUnderTerms } from './opening.ts'

const prize = (prizeId: number, change: Partial<OpenablePrize> = {}): OpenablePrize => ({
  prizeId,
  name: `Prize ${prizeId}`,
  description: '',
  claimInstructions: '',
  imageData: null,
  imageType: null,
  imageHash: null,
  isAlsoSent: false,
  delivery: null,
  deliversCodes: false,
  winFrequency: 1,
  totalPacks: 4,
  redCoinAmount: 0,
  rewardPackTypeId: null,
  rewardPackQuantity: 0,
  limited: false,
  ...change,
})

/** A roll in the middle of a quarter of the range: of prize 0, 1, 2, or of none. */
const quarter = (index: number) => (rollRange / 8) * (2 * index + 1)

const gem = prize(3, { redCoinAmount: 40, rewardPackTypeId: 8, rewardPackQuantity: 2 })
const mug = prize(5, { limited: true })
const cap = prize(9, { limited: true, rewardPackTypeId: 8, rewardPackQuantity: 3 })
const prizes = [gem, mug, cap]

function open(stock: readonly (readonly [number, number])[], quarters: readonly number[]) {
  return openUnderTerms(
    {
      prizes,
      thresholds: thresholdsOf(prizes),
      stock: new Map(stock),
      consolationRedCoin: 5,
    },
    quarters.map(quarter),
  )
}

describe('an opening', () => {
  it('gives each pack its prize, or the consolation', () => {
    const { packs, redCoinTotal, consolationTotal } = open([], [0, 3, 1])
    expect(packs).toEqual([
      { prize: gem, soldOutPrizeId: null, redCoinEarned: 40, winOfStock: null },
      { prize: undefined, soldOutPrizeId: null, redCoinEarned: 5, winOfStock: null },
      { prize: mug, soldOutPrizeId: null, redCoinEarned: 0, winOfStock: null },
    ])
    expect([redCoinTotal, consolationTotal]).toEqual([45, 5])
  })

  it('counts the wins of a limited prize, and names it once it is sold out', () => {
    const { packs, stock, redCoinTotal, consolationTotal } = open([[5, 2]], [1, 1, 0, 1])
    expect(packs.map(({ winOfStock }) => winOfStock)).toEqual([1, 2, null, null])
    expect(packs[3]).toEqual({
      prize: undefined,
      soldOutPrizeId: 5,
      redCoinEarned: 5,
      winOfStock: null,
    })
    expect(stock).toEqual([{ prizeId: 5, taken: 2, exactly: 2 }])
    expect([redCoinTotal, consolationTotal]).toEqual([45, 5])
  })

  it('names the stock it takes in the order in which it is locked, whatever was drawn first', () => {
    const { stock } = open(
      [
        [9, 7],
        [5, 7],
      ],
      [2, 1, 2],
    )
    expect(stock).toEqual([
      { prizeId: 5, taken: 1, exactly: null },
      { prizeId: 9, taken: 2, exactly: null },
    ])
  })

  it('adds up the packs that come with prizes, by their type', () => {
    expect(open([[9, 1]], [0, 2, 0, 2, 1]).rewards).toEqual(new Map([[8, 2 + 3 + 2]]))
    expect(open([], [1, 3]).rewards).toEqual(new Map())
  })
})

it.each<[string, Partial<OpenablePrize>, 'completed' | 'pending']>([
  ['RedCoin', { redCoinAmount: 1 }, 'completed'],
  ['a code', { deliversCodes: true }, 'completed'],
  ['packs', { rewardPackTypeId: 8, rewardPackQuantity: 1 }, 'completed'],
  ['packs and a parcel', { rewardPackQuantity: 1, isAlsoSent: true }, 'pending'],
  ['a parcel', {}, 'pending'],
])('a win of %s waits for staff only where something is sent', (_what, change, state) => {
  expect(claimStateWhenWon(prize(1, change))).toBe(state)
})

describe('the most that an opening can pay', () => {
  it('is the best entry in every pack, for RedCoin and for each type of packs', () => {
    const entries = [
      prize(1, { redCoinAmount: 70 }),
      prize(2, { rewardPackTypeId: 8, rewardPackQuantity: 4 }),
      prize(3, { rewardPackTypeId: 8, rewardPackQuantity: 2 }),
      prize(4, { rewardPackTypeId: 6, rewardPackQuantity: 1 }),
    ]
    expect(largestPay({ entries, consolationRedCoin: 5 }, 10)).toEqual({
      redCoin: 700n,
      packs: new Map([
        [8, 40n],
        [6, 10n],
      ]),
    })
  })

  it('is the consolation where that is more, or where no prize is left', () => {
    expect(largestPay({ entries: [mug], consolationRedCoin: 5 }, 3).redCoin).toBe(15n)
    expect(largestPay({ entries: [], consolationRedCoin: 5 }, 3)).toEqual({
      redCoin: 15n,
      packs: new Map(),
    })
  })

  it('is exact where a number of JavaScript is not', () => {
    const most = Number.MAX_SAFE_INTEGER
    const entries = [
      prize(1, { redCoinAmount: most, rewardPackTypeId: 8, rewardPackQuantity: most }),
    ]
    expect(largestPay({ entries, consolationRedCoin: 0 }, 50)).toEqual({
      redCoin: 50n * BigInt(most),
      packs: new Map([[8, 50n * BigInt(most)]]),
    })
  })

  it('is never less than what is drawn', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { maxLength: 50 }), (quarters) => {
        const outcome = open([], quarters)
        const most = largestPay({ entries: prizes, consolationRedCoin: 5 }, quarters.length)
        expect(most.redCoin).toBeGreaterThanOrEqual(BigInt(outcome.redCoinTotal))
        for (const [id, count] of outcome.rewards) {
          expect(most.packs.get(id)).toBeGreaterThanOrEqual(BigInt(count))
        }
      }),
    )
  })
})
