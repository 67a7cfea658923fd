// What every change of a prize has in common: locks, checks, the audit row, the answer, the events.

import type { Queryable } from '../../adapters/db/database.ts'
import type { World } from '../../adapters/world.ts'
import { invariant, Refusal } from '../../rules/refusal.ts'
import type { StaffCall } from '../../rules/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { lockLivePackTypes } from '../pack-types/tables.ts'
import { type LockedPrize, lockPrize } from './tables.ts'

/** Locks a prize that is not deleted. @throws Refusal not_found */
export async function lockLivePrize(tx: Queryable, id: number): Promise<LockedPrize> {
  const prize = await lockPrize(tx, id)
  if (prize === undefined || prize.isArchived) throw new Refusal('not_found', 'Prize not found')
  return prize
}

/** Locks the pack types in question. @throws Refusal not_found when one of them is not there */
export async function requirePackTypes(tx: Queryable, ids: readonly number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  const found = await lockLivePackTypes(tx, wanted)
  if (found.length < wanted.length) throw new Refusal('not_found', 'Pack type not found')
}

type PrizeAction = 'create' | 'update' | 'delete' | 'restore' | 'change_stock'

/** Records what was done to a prize and answers it as it is now. */
export async function recordPrizeChange(
  tx: Queryable,
  staff: StaffCall,
  action: PrizeAction,
  change: { readonly id: number; readonly before?: LockedPrize; readonly now: Date },
) {
  const after = await lockPrize(tx, change.id)
  invariant(after !== undefined, 'a prize that was just written is there')
  await recordStaffAction(tx, {
    actorId: staff.actorId,
    action: `prize.${action}`,
    targetType: 'prize',
    targetId: String(change.id),
    before: change.before && audited(change.before),
    after: audited(after),
    requestId: staff.requestId,
    now: change.now,
  })
  return prizeAnswer(after)
}

/** What staff are answered after a change. */
export type ChangedPrize = Awaited<ReturnType<typeof recordPrizeChange>>

/** A prize as the log keeps it: a picture is there or not, its bytes would drown the rest. */
function audited({ imageData, imageType, packTypes, createdAt, ...rest }: LockedPrize) {
  return { ...rest, hasImage: imageData !== null, packTypeIds: packTypes.map(({ id }) => id) }
}

function prizeAnswer({ isArchived, ...prize }: LockedPrize) {
  const packTypes = [...prize.packTypes]
  return { ...prize, packTypes, packTypeIds: packTypes.map(({ id }) => id) }
}

/** Tells open pages that prizes, and with them the odds of packs, have changed. */
export function announcePrizes(world: World): void {
  world.events.publish({ type: 'catalogue_changed', what: 'prizes' })
  world.events.publish({ type: 'catalogue_changed', what: 'pack_types' })
}
