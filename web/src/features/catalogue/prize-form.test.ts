// What the prize form makes of what was typed.

import { describe, expect, it } from 'vitest'
import { samplePrize } from '../../../test/catalogue-samples.ts'
import { parseWhole } from '../../ui/form/record-form.ts'
import {
  changeOf,
  draftOf,
  newPrizeDraft,
  type PrizeDraft,
  PrizeForm,
  requestOf,
} from './prize-form.ts'
import { frequencyText, percentText } from './prize-words.ts'

const valid: PrizeDraft = {
  ...newPrizeDraft(10),
  name: 'Hoodie',
  description: 'Warm',
  packTypeIds: [1],
}
const issueOf = (change: Partial<PrizeDraft>) => {
  const issue = PrizeForm.safeParse({ ...valid, ...change }).error?.issues[0]
  return issue && [issue.path.join('.'), issue.message]
}

describe('numbers', () => {
  it('are whole: 3.7 gives 3', () => {
    expect(parseWhole(3.7, 1)).toBe(3)
    expect(requestOf({ ...valid, winFrequency: 3.7, redCoinAmount: 9.99 })).toMatchObject({
      winFrequency: 3,
      redCoinAmount: 9,
    })
  })

  it('fall back when they are emptied', () => {
    const emptied = requestOf({
      ...valid,
      packTypeId: '2',
      isUnlimited: false,
      redCoinAmount: null,
      packQuantity: null,
      inventoryQuantity: null,
      winFrequency: null,
      totalPacks: null,
    })
    expect(emptied).toMatchObject({
      redCoinAmount: 0,
      packQuantity: 0,
      inventoryQuantity: 0,
      winFrequency: 1,
      totalPacks: 1,
    })
  })

  it('show the chance with two decimals', () => {
    expect(percentText(1 / 3)).toBe('33.33%')
    expect(frequencyText({ winFrequency: 1, totalPacks: 3 })).toBe('1 wins in 3 packs (33.33%)')
    expect(frequencyText({ winFrequency: 1500, totalPacks: 2000 })).toContain('75.00%')
  })
})

describe('the request', () => {
  it('has null for unlimited stock and for no pack reward', () => {
    const { inventoryQuantity, packTypeId, packQuantity } = requestOf({ ...valid, packQuantity: 4 })
    expect([inventoryQuantity, packTypeId, packQuantity]).toEqual([null, null, 0])
  })

  it('is refused in the words of the rules', () => {
    expect(issueOf({})).toBeUndefined()
    expect(issueOf({ name: ' ' })).toEqual(['name', 'Prize name is required'])
    expect(issueOf({ description: ' ' })).toEqual(['description', 'Description is required'])
    expect(issueOf({ winFrequency: 0 })).toEqual([
      'winFrequency',
      'Win frequency must be at least 1',
    ])
    expect(issueOf({ redCoinAmount: -1 })?.[1]).toBe('RedCoin amount must be 0 or greater')
    expect(issueOf({ packTypeId: '2', packQuantity: -1 })?.[1]).toBe(
      'Pack quantity must be 0 or greater',
    )
    expect(issueOf({ packTypeId: '2', packQuantity: 0 })).toBeUndefined()
    for (const amount of ['2,500', '1.000']) {
      expect(issueOf({ estimatedValue: { amount, currency: 'EUR' } })?.[1]).toMatch(/two decimals/)
    }
    expect(issueOf({ packTypeIds: [] })).toEqual(['packTypeIds', 'Select at least one pack type'])
  })

  it('of an edit has only what changed, so that stock won meanwhile is not put back', () => {
    const prize = samplePrize({ imageData: 'QUJD', imageType: 'image/png', packTypeIds: [1, 2] })
    const change = (to: Partial<PrizeDraft>) =>
      changeOf(PrizeForm.parse({ ...draftOf(prize), ...to }), prize)
    expect(change({})).toEqual({})
    expect(change({ name: 'Cap', packTypeIds: [2, 1] })).toEqual({
      name: 'Cap',
      expected: { name: prize.name },
    })
    expect(change({ isUnlimited: true })).toEqual({
      inventoryQuantity: null,
      expected: { inventoryQuantity: prize.inventoryQuantity },
    })
    const noPack = samplePrize({ packTypeId: null, packQuantity: 3, isAlsoSent: true })
    expect(changeOf(PrizeForm.parse(draftOf(noPack)), noPack)).toEqual({})
    expect(change({ image: '', imageType: '' })).toEqual({ imageData: null, imageType: null })
    expect(change({ image: 'data:image/webp;base64,WA==', imageType: 'image/webp' })).toEqual({
      imageData: 'data:image/webp;base64,WA==',
      imageType: 'image/webp',
    })
  })
})
