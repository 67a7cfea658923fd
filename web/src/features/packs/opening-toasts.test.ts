import { expect, it } from 'vitest'
import { lastToast } from '../../../test/toasts.ts'
import { toastFailedOpening } from './opening-toasts.ts'

it.each([new Error(''), 'a text', undefined])('an opening that fails with %j says so', (error) => {
  toastFailedOpening(error)
  expect(lastToast()?.description).toBe('Failed to open packs. Please try again.')
})
