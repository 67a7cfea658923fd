// What the numbers of prizes give: checked against what can be counted by hand.

import { describe, expect, it } from 'vitest'
import { type EconomyPrize, packEconomies, withDrafts } from './pack-economy.ts'

const prize = (more: Partial<EconomyPrize>): EconomyPrize => ({
  prizeId: 1,
  name: 'Prize',
  winFrequency: 1,
  totalPacks: 10,
  redCoinAmount: 0,
  packTypeId: null,
  packQuantity: 0,
  stock: null,
  isActive: true,
  packTypeIds: [1],
  isDraft: false,
  ...more,
})
const pack = (id: number, storePrice: number | null = null) => ({
  id,
  name: `Pack ${id}`,
  storePrice,
})
const economy = (packs: ReturnType<typeof pack>[], prizes: EconomyPrize[], consolation = 5) =>
  packEconomies({ packs, prizes, consolationRedCoin: consolation })
const codes = (of: ReturnType<typeof economy>[number] | undefined) =>
  of?.warnings.map(({ code }) => code)

describe('one pack', () => {
  it('pays its prizes by their chance and the consolation for the rest', () => {
    const [only] = economy(
      [pack(1)],
      [
        prize({ prizeId: 2, winFrequency: 2, redCoinAmount: 100 }),
        prize({ prizeId: 1, winFrequency: 3, redCoinAmount: 10 }),
        prize({ prizeId: 3, isActive: false, redCoinAmount: 1_000_000 }),
        prize({ prizeId: 4, packTypeIds: [2], redCoinAmount: 1_000_000 }),
      ],
    )
    expect(only?.entries.map(({ prizeId, chance }) => [prizeId, chance])).toEqual([
      [1, 0.3],
      [2, 0.2],
    ])
    expect(only?.noPrizeChance).toBeCloseTo(0.5)
    expect(only?.expectedRedCoin).toBeCloseTo(0.3 * 10 + 0.2 * 100 + 0.5 * 5)
    expect(only?.expectedRedCoinWithPacks).toBeCloseTo(25.5)
    expect(only?.warnings).toEqual([])
  })

  it('whose shares exceed 1 is scaled down, and says so', () => {
    const [only] = economy(
      [pack(1)],
      [
        prize({ prizeId: 1, winFrequency: 10, redCoinAmount: 10 }),
        prize({ prizeId: 2, winFrequency: 3, redCoinAmount: 20 }),
      ],
    )
    expect(only?.shareSum).toBeCloseTo(1.3)
    expect(only?.scaled).toBe(true)
    expect(only?.entries.map(({ chance }) => chance)).toEqual([1 / 1.3, 0.3 / 1.3])
    expect(only?.noPrizeChance).toBe(0)
    expect(only?.expectedRedCoin).toBeCloseTo((10 + 0.3 * 20) / 1.3)
    expect(only?.warnings).toEqual([
      {
        code: 'shares_above_one',
        message: 'The chances add up to 130 %; all are scaled down to 100 %.',
      },
    ])
  })

  it('whose shares are exactly 1 is not', () => {
    const thirds = [1, 2, 3].map((prizeId) => prize({ prizeId, totalPacks: 3 }))
    const [only] = economy([pack(1)], thirds)
    expect([only?.scaled, codes(only)]).toEqual([false, []])
  })

  it('that pays more than it costs is a pump, and one that pays as much is not', () => {
    const won = [prize({ winFrequency: 1, totalPacks: 1, redCoinAmount: 50 })]
    expect(economy([pack(1, 50)], won)[0]?.warnings).toEqual([])
    expect(economy([pack(1, 49)], won)[0]?.warnings).toEqual([
      {
        code: 'pays_more_than_price',
        message: 'One pack pays 50 RedCoin on average and costs 49 in the store.',
      },
    ])
  })

  it('says when it is empty or sold out', () => {
    expect(economy([pack(1)], [])[0]?.warnings).toEqual([
      { code: 'no_prizes', message: 'No active prize is in this pack.' },
    ])
    const soldOut = economy([pack(1)], [prize({ stock: 0 }), prize({ prizeId: 2, stock: 0 })])
    expect(soldOut[0]?.warnings).toEqual([
      { code: 'all_sold_out', message: 'Every prize in this pack is sold out.' },
    ])
    const some = economy([pack(1)], [prize({ stock: 0 }), prize({ prizeId: 2, stock: 1 })])
    expect(codes(some[0])).toEqual([])
  })
})

describe('an entry', () => {
  it('tells share, real chance and what a win adds, and is a draft or not', () => {
    const [only] = economy(
      [pack(1)],
      [
        prize({ prizeId: 1, winFrequency: 3, totalPacks: 2, redCoinAmount: 7, stock: 4 }),
        prize({ prizeId: 2, totalPacks: 1, packTypeId: 2, packQuantity: 3, isDraft: true }),
        prize({ prizeId: 3, totalPacks: 1, packTypeId: 2, packQuantity: 0 }),
        prize({ prizeId: 4, totalPacks: 1, packTypeId: null, packQuantity: 3 }),
      ],
    )
    const [first, second, third, fourth] = only?.entries ?? []
    expect(first).toEqual({
      ...{ prizeId: 1, name: 'Prize', winFrequency: 3, totalPacks: 2, share: 1, chance: 0.25 },
      ...{ redCoinAmount: 7, packReward: null, stock: 4, isDraft: false },
    })
    expect(second?.packReward).toEqual({ packTypeId: 2, quantity: 3 })
    expect(second?.isDraft).toBe(true)
    expect([third?.packReward, fourth?.packReward]).toEqual([null, null])
  })
})

describe('packs that come out of packs', () => {
  it('count with what they pay, in turn', () => {
    const [outer, inner] = economy(
      [pack(1, 30), pack(2, 20)],
      [
        prize({ totalPacks: 2, packTypeId: 2, packQuantity: 3 }),
        prize({ prizeId: 2, packTypeIds: [2], totalPacks: 1, redCoinAmount: 20 }),
      ],
      0,
    )
    expect(inner?.expectedRedCoinWithPacks).toBeCloseTo(20)
    expect(outer?.expectedRedCoin).toBe(0)
    expect(outer?.expectedRedCoinWithPacks).toBeCloseTo(30)
    expect(codes(outer)).toEqual([])
  })

  it('of the same type add up to their limit', () => {
    const [only] = economy(
      [pack(1, 9)],
      [prize({ totalPacks: 2, redCoinAmount: 5, packTypeId: 1, packQuantity: 1 })],
      5,
    )
    // E = 5 + E / 2
    expect(only?.expectedRedCoinWithPacks).toBeCloseTo(10)
    expect(only?.warnings[0]?.message).toBe(
      'One pack pays 10 RedCoin on average, with the packs that come out of it, and costs 9 in ' +
        'the store.',
    )
  })

  it('of a type that is gone, or none of them, add nothing', () => {
    const [only] = economy(
      [pack(1)],
      [
        prize({ prizeId: 1, totalPacks: 2, redCoinAmount: 8, packTypeId: 9, packQuantity: 5 }),
        prize({ prizeId: 2, totalPacks: 2, packTypeId: 1, packQuantity: 0 }),
      ],
      0,
    )
    expect(only?.expectedRedCoinWithPacks).toBe(4)
  })

  it('that nearly go on without end still add up', () => {
    // Each pack gives 0.999 of the next, so a thousand of them on average.
    const [only] = economy(
      [pack(1)],
      [prize({ winFrequency: 999, totalPacks: 1000, packTypeId: 1, packQuantity: 1 })],
      1000,
    )
    expect(only?.expectedRedCoinWithPacks).toBeCloseTo(1000, 2)
    expect(codes(only)).toEqual([])
  })

  it('that multiply beyond all numbers are without end, with all that lead there', () => {
    const [many, door, slow] = economy(
      [pack(1, 10), pack(2), pack(3)],
      [
        prize({
          ...{ prizeId: 1, packTypeIds: [1], totalPacks: 1, redCoinAmount: 1 },
          ...{ packTypeId: 1, packQuantity: 1_000_000 },
        }),
        prize({ prizeId: 2, packTypeIds: [2], packTypeId: 1, packQuantity: 1 }),
        prize({
          ...{ prizeId: 3, packTypeIds: [3], winFrequency: 99, totalPacks: 100 },
          ...{ packTypeId: 3, packQuantity: 1 },
        }),
      ],
      100,
    )
    expect(many?.expectedRedCoinWithPacks).toBeNull()
    expect(many?.warnings).toEqual([
      { code: 'never_ends', message: 'Packs that come as prizes give each other endlessly.' },
    ])
    expect(codes(door)).toEqual(['never_ends'])
    expect(slow?.expectedRedCoinWithPacks).toBeCloseTo(100)
    expect(codes(slow)).toEqual([])
  })

  it('that only go round are without end, too', () => {
    const round = economy(
      [pack(1), pack(2), pack(3)],
      [
        prize({ prizeId: 1, totalPacks: 1, packTypeId: 2, packQuantity: 1 }),
        prize({ prizeId: 2, totalPacks: 1, packTypeIds: [2], packTypeId: 1, packQuantity: 1 }),
        prize({ prizeId: 3, packTypeIds: [3], redCoinAmount: 10 }),
      ],
      0,
    )
    expect(round.map((each) => each.expectedRedCoinWithPacks)).toEqual([null, null, 1])
  })

  it('without end are found, with all that lead there, and no others', () => {
    const circle = economy(
      [pack(1), pack(2), pack(3), pack(4), pack(5)],
      [
        prize({ prizeId: 1, packTypeIds: [1], totalPacks: 2, packTypeId: 2, packQuantity: 4 }),
        prize({ prizeId: 2, packTypeIds: [2], totalPacks: 2, packTypeId: 1, packQuantity: 1 }),
        prize({ prizeId: 3, packTypeIds: [3], packTypeId: 1, packQuantity: 1 }),
        prize({ prizeId: 4, packTypeIds: [4], redCoinAmount: 10 }),
        // Comes out of itself so often that it takes long to die out.
        prize({
          ...{ prizeId: 5, packTypeIds: [5], winFrequency: 97, totalPacks: 100 },
          ...{ redCoinAmount: 3, packTypeId: 5, packQuantity: 1 },
        }),
      ],
      0,
    )
    expect(circle.map((each) => codes(each)?.includes('never_ends'))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    const [first, second, third, ...others] = circle.map((each) => each.expectedRedCoinWithPacks)
    expect([first, second, third]).toEqual([null, null, null])
    expect(others.map((worth) => worth?.toFixed(3))).toEqual(['1.000', '97.000'])
  })
})

describe('drafts', () => {
  const saved = {
    packs: [pack(1, 10), pack(2)],
    prizes: [prize({ prizeId: 7, redCoinAmount: 10 })],
    consolationRedCoin: 0,
  }

  it('take the place of what is saved', () => {
    const changed = { ...prize({ prizeId: 7, redCoinAmount: 90, packTypeIds: [2] }) }
    const [first, second] = packEconomies(withDrafts(saved, { prize: changed }))
    expect(first?.entries).toEqual([])
    expect(second?.entries).toMatchObject([{ prizeId: 7, redCoinAmount: 90, isDraft: true }])
    expect(saved.prizes).toHaveLength(1)
  })

  it('leave every other prize as it is', () => {
    const others = { ...saved, prizes: [...saved.prizes, prize({ prizeId: 8 })] }
    const ids = (drafts: Parameters<typeof withDrafts>[1]) =>
      withDrafts(others, drafts).prizes.map(({ prizeId, isDraft }) => [prizeId, isDraft])
    expect(ids({})).toEqual([
      [7, false],
      [8, false],
    ])
    expect(ids({ prize: prize({ prizeId: 7 }) })).toEqual([
      [8, false],
      [7, true],
    ])
    expect(ids({ prize: prize({ prizeId: null }) })).toEqual([
      [7, false],
      [8, false],
      [null, true],
    ])
  })

  it('of new prizes stand last, and those of prices decide the warning', () => {
    const added = { ...prize({ prizeId: null, totalPacks: 1, redCoinAmount: 20 }) }
    const price = { packTypeId: 1, redCoinPrice: 15 }
    const [first] = packEconomies(withDrafts(saved, { prize: added, price }))
    expect(first?.entries.map(({ prizeId }) => prizeId)).toEqual([7, null])
    expect(first?.storePrice).toBe(15)
    expect(codes(first)).toEqual(['shares_above_one', 'pays_more_than_price'])
  })
})
