// Moves claims on, keeps their contact details, deletes and restores them.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Encryption } from '../../adapters/encryption/encryption.ts'
import type { ProductEvent } from '../../adapters/events/events.ts'
import { type ClaimState, claimStepRefusal } from '../../rules/claim-steps.ts'
import { contactInfoContext } from '../../rules/contact-info.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { hideAllClaims, hideClaims, lockClaim, setClaimStatus, showClaims } from './admin-tables.ts'
import { writeContactInfo } from './delivery-tables.ts'

export interface ClaimUpdate {
  readonly status?: ClaimState | undefined
  /** Anything that JSON can carry; null removes it, absent leaves it. */
  readonly contactInfo?: unknown
}

/** What is said of a claim that is not there, or deleted. */
export const notFound = () => new DomainError('not_found', 'Prize claim not found')

/**
 * Changes a claim and answers its row number. `id` is the number or the Claim ID. The log of staff
 * actions says that contact details were changed, and never what they are.
 * @throws DomainError not_found, already_completed, wrong_state
 */
export async function updateClaim(
  tx: Queryable,
  { now }: Author,
  encryption: Encryption,
  id: string,
  { status, contactInfo }: ClaimUpdate,
): Promise<Outcome<number>> {
  const claim = await lockClaim(tx, id)
  if (claim === undefined) throw notFound()
  if (status !== undefined) {
    const refusal = claimStepRefusal(claim.status, status)
    if (refusal !== undefined) throw refusal
    await setClaimStatus(tx, [claim.id], status, now)
  }
  if (contactInfo !== undefined) {
    const context = contactInfoContext(claim.id)
    const sealed =
      contactInfo === null ? null : encryption.seal(JSON.stringify(contactInfo), context)
    await writeContactInfo(tx, claim.id, sealed, now)
  }
  return {
    answer: claim.id,
    audit: {
      action: 'claim.update',
      targetType: 'claim',
      targetId: String(claim.id),
      before: { status: claim.status },
      after: {
        status: status ?? claim.status,
        ...(contactInfo === undefined
          ? {}
          : { contactInfo: contactInfo === null ? 'removed' : 'saved' }),
      },
    },
    events: changedUsers([claim.userId]),
  }
}

/**
 * Deletes a claim, also a completed one. Its stock is not given back, since the prize was
 * won; the claim can be restored.
 * @throws DomainError not_found
 */
export async function deleteClaim(
  tx: Queryable,
  { now }: Author,
  id: string,
  batchId: string,
): Promise<Outcome<void>> {
  const claim = await lockClaim(tx, id)
  if (claim === undefined) throw notFound()
  await hideClaims(tx, [claim.id], batchId, now)
  return {
    answer: undefined,
    audit: {
      action: 'claim.delete',
      targetType: 'claim',
      targetId: String(claim.id),
      before: { status: claim.status },
      batchId,
    },
    events: changedUsers([claim.userId]),
  }
}

/** Deletes every claim, as one batch that can be restored as a whole; answers how many. */
export async function deleteAllClaims(
  tx: Queryable,
  { now }: Author,
  batchId: string,
): Promise<Outcome<number>> {
  const { count, userIds } = await hideAllClaims(tx, batchId, now)
  return {
    answer: count,
    audit: {
      action: 'claim.delete_all',
      targetType: 'claims',
      targetId: null,
      after: { deleted: count },
      batchId,
    },
    events: changedUsers(userIds),
  }
}

/** Claims by their row numbers, or those of one deletion of all. */
export interface ClaimsToRestore {
  readonly ids?: readonly number[] | undefined
  readonly batchId?: string | undefined
  /** Why they come back; empty when nobody said. */
  readonly reason: string
}

/**
 * Brings deleted claims back as they were, with their status and what is left of their details.
 * Answers how many. @throws DomainError not_found when none of them is deleted
 */
export async function restoreClaims(
  tx: Queryable,
  { now }: Author,
  which: ClaimsToRestore,
): Promise<Outcome<number>> {
  const { count, userIds } = await showClaims(tx, which, now)
  if (count === 0) throw new DomainError('not_found', 'No deleted prize claim found')
  const only = which.ids?.length === 1 ? String(which.ids[0]) : null
  return {
    answer: count,
    audit: {
      action: 'claim.restore',
      targetType: only === null ? 'claims' : 'claim',
      targetId: only,
      after: { restored: count, ids: which.ids },
      batchId: which.batchId,
      reason: which.reason === '' ? undefined : which.reason,
    },
    events: changedUsers(userIds),
  }
}

/** What there is to tell about the users whose claims were changed. */
export function changedUsers(userIds: readonly number[]): ProductEvent[] {
  return userIds.map((userId) => ({ type: 'user_changed', userId }))
}
