// What the prize form makes of what was typed.

import { describe, expect, it } from 'vitest'
import { samplePrize } from '../../../test/catalogue-samples.ts'
import { changeOf, draftOf, newPrizeDraft, type PrizeDraft, PrizeForm } from './prize-form.ts'

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

describe('the request', () => {
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
