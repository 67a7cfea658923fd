// The words and rules of the Prize Claims tab that stand in more than one place.

import type { AdminClaim } from '@redpack/contract'
import { ApiError } from '../../lib/api-error.ts'
import { formatNumber } from '../../lib/format.ts'

/** A claim without a Claim ID is named by its number. */
export function claimIdOf({ claimId, id }: Pick<AdminClaim, 'claimId' | 'id'>): string {
  return claimId || `PR-${id}`
}

export function canApprove(claim: AdminClaim): boolean {
  return claim.status === 'pending' && claim.deletedAt === null && !claim.isAutoCompleted
}

/** This tab deletes what is not completed; the prizes dialog of a user deletes any. */
export function canDelete(claim: AdminClaim): boolean {
  return claim.status !== 'completed' && claim.deletedAt === null && !claim.isAutoCompleted
}

/** How many match filter and search, and how many stand in all. */
export function countLine(matching: number, total: number): string {
  return `Showing ${formatNumber(matching)} of ${formatNumber(total)} total claims`
}

/** Why the list could not be loaded: status, words and body of the answer. */
export function loadErrorText(error: Error): string {
  const message =
    error instanceof ApiError ? `${error.status} ${error.statusText}: ${error.body}` : error.message
  return `Error loading prize claims: ${message}`
}
