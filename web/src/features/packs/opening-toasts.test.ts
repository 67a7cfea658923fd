import { beforeEach, describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { clearToasts, toastStore } from '../../ui/feedback/toast.ts'
import { losing, winning } from './opening-samples.fixture.ts'
import { toastComplete, toastFailedOpening, toastInsufficientPacks } from './opening-toasts.ts'

const shown = () => toastStore.get().toasts[0]

beforeEach(() => clearToasts())

describe('the failure of an opening', () => {
  it('is shown 10 seconds, destructively', () => {
    toastFailedOpening(new ApiError(400, 'Bad Request', '{"message":"No such pack type"}'))
    expect(shown()).toMatchObject({
      title: 'Pack Opening Error',
      description: 'No such pack type',
      variant: 'destructive',
      duration: 10_000,
    })
    toastInsufficientPacks()
    expect(shown()).toMatchObject({ description: 'Insufficient packs', duration: 10_000 })
  })

  it("falls back to 'Failed to open packs. Please try again.' without a message", () => {
    for (const error of [new Error(''), 'a text', undefined]) {
      toastFailedOpening(error)
      expect(shown()?.description).toBe('Failed to open packs. Please try again.')
    }
  })
})

describe('the end of an opening', () => {
  it('is shown 3 seconds', () => {
    toastComplete([losing()], () => {})
    expect(shown()).toMatchObject({ title: 'Pack Opening Complete!', duration: 3_000 })
    expect(shown()?.action).toBeUndefined()
  })

  it('leads to the prizes when there are some', () => {
    let isLed = false
    toastComplete([winning()], () => {
      isLed = true
    })
    shown()?.action?.onSelect()
    expect(isLed).toBe(true)
  })
})
