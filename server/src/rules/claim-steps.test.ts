// Which way a claim may go: every step there is.

import { describe, expect, it } from 'vitest'
import { type ClaimState, claimStepRefusal, formatClaimId } from './claim-steps.ts'

describe('a claim', () => {
  it.each<[ClaimState, ClaimState]>([
    ['pending', 'processing'],
    ['pending', 'completed'],
    ['processing', 'pending'],
    ['processing', 'completed'],
  ])('goes from %s to %s', (from, to) => {
    expect(claimStepRefusal(from, to)).toBeUndefined()
  })

  it.each<[ClaimState, ClaimState, string, string]>([
    ['completed', 'pending', 'already_completed', 'Claim is already completed'],
    ['completed', 'processing', 'already_completed', 'Claim is already completed'],
    ['completed', 'completed', 'already_completed', 'Claim is already completed'],
    ['pending', 'pending', 'wrong_state', 'Claim is already pending'],
    ['processing', 'processing', 'wrong_state', 'Claim is already processing'],
  ])('does not go from %s to %s: %s', (from, to, code, message) => {
    expect(claimStepRefusal(from, to)).toMatchObject({ code, message })
  })

  it('is called by its Claim ID, and one without by its number', () => {
    expect(formatClaimId('PR-1A2B3C4D', 7)).toBe('PR-1A2B3C4D')
    expect(formatClaimId(null, 7)).toBe('PR-7')
  })
})
