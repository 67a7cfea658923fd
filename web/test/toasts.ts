// The messages that a page shows, and requests that are lost, of which some of them tell.

import { screen, waitFor } from '@testing-library/react'
import { expect, vi } from 'vitest'
import { type Toast, toastStore } from '../src/ui/feedback/toast.ts'

export const lastToast = () => toastStore.get().toasts[0]

/** Waits until the newest message is this one, as far as is said of it. */
export const findToast = (toast: Partial<Toast>) =>
  waitFor(() => expect(lastToast()).toMatchObject(toast))

/** Staff are told that something was done. */
export const expectDone = (description: string, duration = 3000) =>
  findToast({ title: 'Success', description, duration })

/** The same of what can be taken back by its message, which stays longer for that. */
export const expectUndoable = (description: string) => expectDone(description, 10_000)

/** Staff are told that something failed. */
export const expectFailed = (title: string, description: string) =>
  findToast({ variant: 'destructive', duration: 5000, title, description })

/** From now on no request gets an answer, and no error says why. */
export const loseRequests = () => vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))

/** The text as it stands in a message about a failure. */
export const findFailure = (text: string) =>
  screen.findByText(text, { selector: '[data-variant="destructive"] *' })
