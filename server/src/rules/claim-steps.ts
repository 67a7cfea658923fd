// Which way a claim may go.

import { DomainError } from '../shared/domain-error.ts'

export type ClaimState = 'pending' | 'processing' | 'completed'

/**
 * Lets a claim move between waiting and being worked on, and from either to its end, which is
 * final.
 * @throws DomainError already_completed, or wrong_state when nothing would change
 */
export function requireClaimStep(from: ClaimState, to: ClaimState): void {
  if (from === 'completed') {
    throw new DomainError('already_completed', 'Claim is already completed')
  }
  if (from === to) throw new DomainError('wrong_state', `Claim is already ${to}`)
}
