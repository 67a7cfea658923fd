// The words and rules of the Prize Claims tab that stand in more than one place.

import type { AdminClaim } from '@redpack/contract'
import { ApiError } from '../../lib/api-error.ts'
import { formatNumber } from '../../lib/format.ts'
import type { ClaimFilter } from './queries.ts'

/** A claim without a Claim ID is named by its number. */
export function claimIdOf({ claimId, id }: Pick<AdminClaim, 'claimId' | 'id'>): string {
  return claimId || `PR-${id}`
}

/** The filter's choices; the older page words the one for all of them differently. */
export function statusChoices(isOld: boolean): readonly { value: ClaimFilter; label: string }[] {
  const all = { value: 'all', label: isOld ? 'All Status' : 'All Claims' } as const
  const pending = { value: 'pending', label: 'Pending' } as const
  return [
    ...(isOld ? [all, pending] : [pending, all]),
    { value: 'completed', label: 'Completed' },
    { value: 'processing', label: 'Processing' },
    { value: 'deleted', label: 'Deleted' },
  ]
}

/** Paid by itself when it was won; there is nothing to do about it. */
export function isAutoCompleted({ redCoinAmount }: AdminClaim): boolean {
  return redCoinAmount > 0
}

export function canApprove(claim: AdminClaim): boolean {
  return claim.status === 'pending' && claim.deletedAt === null && !isAutoCompleted(claim)
}

/** This tab deletes what is not completed; the prizes dialog of a user deletes any. */
export function canDelete(claim: AdminClaim): boolean {
  return claim.status !== 'completed' && claim.deletedAt === null && !isAutoCompleted(claim)
}

/** How many match filter and search, and how many stand in all. */
export function countLine(matching: number, total: number): string {
  return `Showing ${formatNumber(matching)} of ${formatNumber(total)} total claims`
}

/** Why the list could not be loaded: status, words and body of the answer (001: 197, Q-126). */
export function loadErrorText(error: Error): string {
  const message =
    error instanceof ApiError ? `${error.status} ${error.statusText}: ${error.body}` : error.message
  return `Error loading prize claims: ${message}`
}
