// The messages around an opening, in the words and for the seconds that the specification gives.

import type { OpeningResult } from '@redpack/contract'
import { messageOf } from '../../lib/api-error.ts'
import { isMissingCode } from '../../lib/missing-code.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { failureOf } from '../../ui/overlay/lazy-component.tsx'
import { completionText, totalsOf } from './rarity.ts'

/** Time on screen in milliseconds. */
const openFailureMs = 10_000
const openCompleteMs = 3_000

/** What is wrong before a request leaves; what nobody expected has no words of its own. */
export function toastNotStarted(
  description = 'Failed to start pack opening. Please try again.',
): void {
  toast({ title: 'Error', description, variant: 'destructive' })
}

/** The opening was refused or got no answer. */
export function toastFailedOpening(error: unknown): void {
  if (isMissingCode(error)) {
    toast(failureOf(error))
    return
  }
  toastOpenFailure(
    messageOf(error, 'Failed to open packs. Please try again.'),
    error instanceof Error ? error.message : undefined,
  )
}

/** Packs were not opened, for a reason that the player can do something about. */
export function toastOpenFailure(description: string, detail?: string): void {
  toast({
    title: 'Pack Opening Error',
    description,
    detail,
    variant: 'destructive',
    duration: openFailureMs,
  })
}

/** The modal has closed; with a prize among the results there is a way to the prizes. */
export function toastComplete(results: readonly OpeningResult[], onViewPrizes: () => void): void {
  const hasPrize = totalsOf(results).prizesWon > 0
  toast({
    title: 'Pack Opening Complete!',
    description: completionText(results),
    duration: openCompleteMs,
    action: hasPrize ? { label: 'View prizes', onSelect: onViewPrizes } : undefined,
  })
}
