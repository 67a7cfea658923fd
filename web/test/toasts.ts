// The messages that a page shows, and requests that are lost, of which some of them tell.

import { screen } from '@testing-library/react'
import { vi } from 'vitest'
import { toastStore } from '../src/ui/feedback/toast.ts'

export const lastToast = () => toastStore.get().toasts[0]

/** From now on no request gets an answer, and no error says why. */
export const loseRequests = () => vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))

/** The text as it stands in a message about a failure. */
export const findFailure = (text: string) =>
  screen.findByText(text, { selector: '[data-variant="destructive"] *' })
