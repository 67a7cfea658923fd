// Deletes a prize, and brings a deleted one back.

import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffCall } from '../../rules/staff-call.ts'
import { archivePrize, lockPrize, restorePrize } from './tables.ts'
import {
  announcePrizes,
  lockLivePrize,
  recordPrizeChange,
  requirePackTypes,
} from './write-prize.ts'

/**
 * Takes a prize out of every list and draw. Its row stays for those who won it, and so that the
 * deletion can be undone. @throws Refusal not_found
 */
export async function deletePrize(world: World, staff: StaffCall, id: number): Promise<void> {
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const before = await lockLivePrize(tx, id)
    await requirePackTypes(
      tx,
      before.packTypes.map((packType) => packType.id),
    )
    await archivePrize(tx, id, now)
    await recordPrizeChange(tx, staff, 'delete', { id, before, now })
  })
  announcePrizes(world)
}

/**
 * Undoes a deletion. @throws Refusal not_found, wrong_state when the prize is not deleted or the
 * pack that comes with it is
 */
export async function undeletePrize(world: World, staff: StaffCall, id: number) {
  const now = world.clock.now()
  const answer = await world.db.transaction(async (tx) => {
    const before = await lockPrize(tx, id)
    if (before === undefined) throw new Refusal('not_found', 'Prize not found')
    if (!before.isArchived) throw new Refusal('wrong_state', 'This prize is not deleted')
    if (before.packTypeId !== null) await requirePackReward(tx, before.packTypeId)
    await restorePrize(tx, id, now)
    return recordPrizeChange(tx, staff, 'restore', { id, before, now })
  })
  announcePrizes(world)
  return answer
}

async function requirePackReward(
  tx: Parameters<typeof requirePackTypes>[0],
  packTypeId: number,
): Promise<void> {
  await requirePackTypes(tx, [packTypeId]).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal('wrong_state', 'Restore the pack type that comes with this prize first')
  })
}
