// The real chance of a prize while its numbers are being typed.

import { describe, expect, it } from 'vitest'
import { type ChancePrize, isOverfull, realChances, shareOf, sharesOf } from './prize-words.ts'

const prize = (id: number, winFrequency: number, totalPacks: number, ...packTypeIds: number[]) => ({
  id,
  winFrequency,
  totalPacks,
  packTypeIds,
  isActive: true,
})
const others: readonly ChancePrize[] = [prize(1, 1, 2, 1), prize(2, 1, 4, 1, 2)]

describe('the real chance', () => {
  it('is wins by packs while there is room', () => {
    expect(realChances(prize(0, 1, 4, 1), others)).toEqual([
      { packTypeId: 1, chance: 0.25, sharesSum: 1 },
    ])
    expect(isOverfull({ sharesSum: 0.1 + 0.2 + 0.7 })).toBe(false)
  })

  it('is scaled in each pack whose shares exceed 1, and only there', () => {
    const [full, roomy] = realChances(prize(0, 3, 4, 1, 2), others)
    expect(full).toEqual({ packTypeId: 1, chance: 0.5, sharesSum: 1.5 })
    expect(roomy).toEqual({ packTypeId: 2, chance: 0.75, sharesSum: 1 })
  })

  it('counts the edited prize once, by what is typed', () => {
    expect(realChances(prize(1, 1, 10, 1), others)[0]?.sharesSum).toBeCloseTo(0.35)
  })

  it('leaves inactive prizes out, the edited one too', () => {
    const asleep = others.map((other) => ({ ...other, isActive: false }))
    expect(sharesOf(1, asleep)).toBe(0)
    const idle = { ...prize(0, 1, 2, 1), isActive: false }
    expect(realChances(idle, others)[0]).toMatchObject({ chance: 0, sharesSum: 0.75 })
  })

  it('takes more wins than packs as a win in every pack, and nonsense as none', () => {
    expect(shareOf({ winFrequency: 9, totalPacks: 3 })).toBe(1)
    expect(shareOf({ winFrequency: 0, totalPacks: 0 })).toBe(0)
    expect(shareOf({ winFrequency: Number.NaN, totalPacks: 5 })).toBe(0)
  })
})
