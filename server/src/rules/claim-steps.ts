// Which way a claim may go.

import { DomainError } from '../shared/domain-error.ts'

export type ClaimState = 'pending' | 'processing' | 'completed'

/**
 * Why a claim may not take a step, or undefined. It may move between waiting and being worked on,
 * and from either to its end, which is final: already_completed, or wrong_state when nothing would
 * change.
 */
export function claimStepRefusal(from: ClaimState, to: ClaimState): DomainError | undefined {
  if (from === 'completed') {
    return new DomainError('already_completed', 'Claim is already completed')
  }
  return from === to ? new DomainError('wrong_state', `Claim is already ${to}`) : undefined
}

/** The Claim ID as it is shown: rows without one show their number. */
export function formatClaimId(claimId: string | null, id: number): string {
  return claimId ?? `PR-${id}`
}
