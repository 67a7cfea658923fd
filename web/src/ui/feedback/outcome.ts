// How an act of staff ended, in the words, times and looks that every tab shares.

import { messageOf } from '../../lib/api-error.ts'
import { type ToastContent, toast } from './toast.ts'

/** How long messages to staff are on screen, in milliseconds. */
const staffSuccessMs = 3000
export const staffErrorMs = 5000
/** How long something that was done can be taken back by its message, in milliseconds. */
export const undoMs = 10_000

/** Says that something was done; `action` offers one thing more, for example to undo it. */
export function toastDone(description: string, action?: ToastContent['action']): void {
  const duration = action ? undoMs : staffSuccessMs
  toast({ title: 'Success', description, duration, ...(action && { action }) })
}

/** Says that a form was as it is stored, so that nothing was sent. */
export function toastUnchanged(): void {
  toast({
    title: 'Nothing to save',
    description: 'Nothing was changed.',
    duration: staffSuccessMs,
  })
}

/** Whether a change is empty; if so that is said, and nothing has to be sent. */
export function isUnchanged(change: object): boolean {
  const isEmpty = Object.keys(change).length === 0
  if (isEmpty) toastUnchanged()
  return isEmpty
}

/**
 * Says that something failed: the server's sentence under the title, or the fallback when there is
 * none. The exact answer goes to the message log.
 */
export function toastFailed(title: string, error: unknown, fallback: string): void {
  const description = messageOf(error, fallback)
  toast({
    title,
    description,
    variant: 'destructive',
    // A list of reasons takes as long as it takes to read.
    duration: description.includes('\n') ? Number.POSITIVE_INFINITY : staffErrorMs,
    ...(error instanceof Error && error.message !== '' && { detail: error.message }),
  })
}

/**
 * Says to a player that something failed: the server's sentence, or the fallback where there is
 * none.
 */
export function toastError(error: unknown, fallback: string, extra?: Partial<ToastContent>): void {
  const description = messageOf(error, fallback)
  toast({ title: 'Error', description, variant: 'destructive', ...extra })
}

/** What a change says when it has ended; `then` comes first, for example to clear its fields. */
export function ending(done: string, fallback: string, then?: () => void) {
  return {
    onSuccess: () => {
      then?.()
      toastDone(done)
    },
    onError: (error: Error) => toastFailed('Error', error, fallback),
  }
}

export interface OutcomeWords {
  /** What was done, in a sentence without a full stop. */
  readonly done: string
  /** One thing more to offer afterwards. */
  readonly action?: ToastContent['action']
  /** What a failure is called, where it is more than 'Error'. */
  readonly failureTitle?: string
  readonly fallback: string
}

/**
 * Waits for an act and says how it ended, also when the screen has been left meanwhile.
 * @returns whether it succeeded
 */
export async function reportOutcome(act: Promise<unknown>, words: OutcomeWords): Promise<boolean> {
  try {
    await act
  } catch (error) {
    toastFailed(words.failureTitle ?? 'Error', error, words.fallback)
    return false
  }
  toastDone(words.done, words.action)
  return true
}
