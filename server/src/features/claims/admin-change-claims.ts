// Moves claims on, keeps their contact details, deletes and restores them.

import type { World } from '../../adapters/world.ts'
import { type ClaimState, requireClaimStep } from '../../rules/claim-steps.ts'
import { contactInfoPlace } from '../../rules/contact-info.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffMember } from '../../rules/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import {
  type ChangedClaims,
  hideAllClaims,
  hideClaim,
  lockClaim,
  setClaimContact,
  setClaimStatus,
  showClaims,
} from './admin-tables.ts'

export interface ClaimUpdate {
  readonly status?: ClaimState | undefined
  /** Anything that JSON can carry; null removes it, absent leaves it. */
  readonly contactInfo?: unknown
}

const notFound = () => new Refusal('not_found', 'Prize claim not found')

/**
 * Changes a claim and answers its row number. `id` is the number or the Claim ID. The log of staff
 * actions says that contact details were changed, and never what they are.
 * @throws Refusal not_found, already_completed, wrong_state
 */
export async function updateClaim(
  world: World,
  { actorId, requestId }: StaffMember,
  id: string,
  { status, contactInfo }: ClaimUpdate,
): Promise<number> {
  const now = world.clock.now()
  const claim = await world.db.transaction(async (tx) => {
    const locked = await lockClaim(tx, id)
    if (locked === undefined) throw notFound()
    if (status !== undefined) {
      requireClaimStep(locked.status, status)
      await setClaimStatus(tx, locked.id, status, now)
    }
    if (contactInfo !== undefined) {
      const place = contactInfoPlace(locked.id)
      const sealed =
        contactInfo === null ? null : world.encryption.seal(JSON.stringify(contactInfo), place)
      await setClaimContact(tx, locked.id, sealed, now)
    }
    await recordStaffAction(tx, {
      actorId,
      action: 'claim.update',
      targetType: 'claim',
      targetId: String(locked.id),
      before: { status: locked.status },
      after: {
        status: status ?? locked.status,
        ...(contactInfo === undefined
          ? {}
          : { contactInfo: contactInfo === null ? 'removed' : 'saved' }),
      },
      requestId,
      now,
    })
    return locked
  })
  announce(world, [claim.userId])
  return claim.id
}

/**
 * Deletes a claim, also a completed one. Its stock is not given back, since the prize was
 * won; the claim can be restored.
 * @throws Refusal not_found
 */
export async function deleteClaim(
  world: World,
  { actorId, requestId }: StaffMember,
  id: string,
): Promise<void> {
  const now = world.clock.now()
  const batchId = world.random.uuid()
  const userId = await world.db.transaction(async (tx) => {
    const claim = await lockClaim(tx, id)
    if (claim === undefined) throw notFound()
    await hideClaim(tx, claim.id, batchId, now)
    await recordStaffAction(tx, {
      actorId,
      action: 'claim.delete',
      targetType: 'claim',
      targetId: String(claim.id),
      before: { status: claim.status },
      batchId,
      requestId,
      now,
    })
    return claim.userId
  })
  announce(world, [userId])
}

export interface DeletedClaims {
  readonly count: number
  /** Undefined when there was nothing to delete. */
  readonly batchId: string | undefined
}

/** Deletes every claim, as one batch that can be restored as a whole. */
export async function deleteAllClaims(
  world: World,
  { actorId, requestId }: StaffMember,
): Promise<DeletedClaims> {
  const now = world.clock.now()
  const batchId = world.random.uuid()
  const deleted = await world.db.transaction(async (tx) => {
    const changed = await hideAllClaims(tx, batchId, now)
    await recordStaffAction(tx, {
      actorId,
      action: 'claim.delete_all',
      targetType: 'claims',
      targetId: null,
      after: { deleted: changed.count },
      batchId,
      requestId,
      now,
    })
    return changed
  })
  announce(world, deleted.userIds)
  return { count: deleted.count, batchId: deleted.count === 0 ? undefined : batchId }
}

/**
 * Brings deleted claims back as they were, with their status and what is left of their details.
 * @throws Refusal not_found when none of them is deleted
 */
export async function restoreClaims(
  world: World,
  { actorId, requestId }: StaffMember,
  which: { readonly ids?: readonly number[] | undefined; readonly batchId?: string | undefined },
): Promise<number> {
  const now = world.clock.now()
  const restored = await world.db.transaction(async (tx): Promise<ChangedClaims> => {
    const changed = await showClaims(tx, which, now)
    if (changed.count === 0) throw new Refusal('not_found', 'No deleted prize claim found')
    const only = which.ids?.length === 1 ? String(which.ids[0]) : null
    await recordStaffAction(tx, {
      actorId,
      action: 'claim.restore',
      targetType: only === null ? 'claims' : 'claim',
      targetId: only,
      after: { restored: changed.count, ids: which.ids },
      batchId: which.batchId,
      requestId,
      now,
    })
    return changed
  })
  announce(world, restored.userIds)
  return restored.count
}

function announce(world: World, userIds: readonly number[]): void {
  for (const userId of userIds) world.events.publish({ type: 'user_changed', userId })
}
