// Which way a claim may go.

import { Refusal } from './refusal.ts'

export type ClaimState = 'pending' | 'processing' | 'completed'

/**
 * Lets a claim move between waiting and being worked on, and from either to its end, which is final
 * (Q-105).
 * @throws Refusal already_completed, or wrong_state when nothing would change
 */
export function requireClaimStep(from: ClaimState, to: ClaimState): void {
  if (from === 'completed') {
    throw new Refusal('already_completed', 'Claim is already completed')
  }
  if (from === to) throw new Refusal('wrong_state', `Claim is already ${to}`)
}
