// Changes the given fields of a prize; what is not given stays.

import { keyedByStaff, type OnceAnswer, once } from '../../adapters/db/once.ts'
import type { Images } from '../../adapters/images/images.ts'
import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffCall } from '../../rules/staff-call.ts'
import type { NewPrize } from './create-prize.ts'
import {
  assignPackTypes,
  changePrize,
  type LockedPrize,
  type PrizeValues,
  pictureOfPrize,
  setPrizeStock,
} from './tables.ts'
import {
  announcePrizes,
  type ChangedPrize,
  lockLivePrize,
  recordPrizeChange,
  requirePackTypes,
} from './write-prize.ts'

export type PrizeChange = { readonly [K in keyof NewPrize]?: NewPrize[K] | undefined }

/**
 * Changes a prize in one transaction. A new chance, name or amount makes a new odds table; openings
 * under way start over with it.
 * @throws Refusal not_found for the prize or a pack type, invalid_input for a picture that is none
 */
export async function updatePrize(
  world: World,
  images: Images,
  staff: StaffCall,
  id: number,
  change: PrizeChange,
): Promise<OnceAnswer<ChangedPrize>> {
  const now = world.clock.now()
  const stored = await pictureOfPrize(world.db, id)
  if (stored === undefined) throw new Refusal('not_found', 'Prize not found')
  const picture =
    change.imageData === undefined ? {} : await images.toStore(change.imageData, stored)
  const call = keyedByStaff(staff, [id, change], now)
  const answer = await once(world.db, call, async (tx) => {
    const before = await lockLivePrize(tx, id)
    await requirePackTypes(tx, newPackTypes(before, change))
    await changePrize(tx, id, { ...merged(before, change), ...picture }, now)
    const { inventoryQuantity, packTypeIds } = change
    if (inventoryQuantity !== undefined && inventoryQuantity !== before.inventoryQuantity) {
      const source = { type: 'staff_change', id: staff.requestId } as const
      await setPrizeStock(tx, id, inventoryQuantity, source, now)
    }
    if (packTypeIds !== undefined) await assignPackTypes(tx, id, packTypeIds)
    return recordPrizeChange(tx, staff, 'update', { id, before, now })
  })
  if (!answer.replayed) announcePrizes(world)
  return answer
}

/**
 * Every pack type whose odds may change, locked in id order, and the new ones must be there. The
 * pack that comes with the prize counts only when it changes: what stands may stay.
 */
function newPackTypes(before: LockedPrize, change: PrizeChange): number[] {
  const assigned = [...before.packTypes.map(({ id }) => id), ...(change.packTypeIds ?? [])]
  const reward = change.packTypeId ?? null
  return reward === null || reward === before.packTypeId ? assigned : [...assigned, reward]
}

function merged(before: LockedPrize, change: PrizeChange): PrizeValues {
  return {
    name: change.name ?? before.name,
    description: change.description ?? before.description,
    claimInstructions: change.claimInstructions ?? before.claimInstructions,
    winFrequency: change.winFrequency ?? before.winFrequency,
    totalPacks: change.totalPacks ?? before.totalPacks,
    redCoinAmount: change.redCoinAmount ?? before.redCoinAmount,
    packTypeId: change.packTypeId === undefined ? before.packTypeId : change.packTypeId,
    packQuantity: change.packQuantity ?? before.packQuantity,
    imageData: before.imageData,
    imageType: before.imageType,
    isActive: change.isActive ?? before.isActive,
  }
}
