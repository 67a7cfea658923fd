// Creates a prize with its stock and its pack types.

import { keyedByStaff, type OnceAnswer, once } from '../../adapters/db/once.ts'
import type { Images } from '../../adapters/images/images.ts'
import type { World } from '../../adapters/world.ts'
import type { StaffCall } from '../../rules/staff-call.ts'
import { addPrize, assignPackTypes, type PrizeValues, setPrizeStock } from './tables.ts'
import {
  announcePrizes,
  type ChangedPrize,
  recordPrizeChange,
  requirePackTypes,
} from './write-prize.ts'

export interface NewPrize extends Omit<PrizeValues, 'imageType'> {
  /** Data URL or base64 as it was sent, null for no picture. */
  readonly imageData: string | null
  /** Null means unlimited. */
  readonly inventoryQuantity: number | null
  /** At least one, without repetition. */
  readonly packTypeIds: readonly number[]
}

/** @throws Refusal not_found for an unknown pack type, invalid_input for a picture that is none */
export async function createPrize(
  world: World,
  images: Images,
  staff: StaffCall,
  prize: NewPrize,
): Promise<OnceAnswer<ChangedPrize>> {
  const now = world.clock.now()
  const picture = await images.toStore(prize.imageData)
  const call = keyedByStaff(staff, prize, now)
  const answer = await once(world.db, call, async (tx) => {
    const { packTypeIds, inventoryQuantity, packTypeId } = prize
    await requirePackTypes(tx, packTypeId === null ? packTypeIds : [...packTypeIds, packTypeId])
    const isLimited = inventoryQuantity !== null
    const id = await addPrize(tx, { ...prize, ...picture }, isLimited, now)
    if (isLimited) {
      await setPrizeStock(tx, id, inventoryQuantity, { type: 'created', id: String(id) }, now)
    }
    await assignPackTypes(tx, id, packTypeIds)
    return recordPrizeChange(tx, staff, 'create', { id, now })
  })
  if (!answer.replayed) announcePrizes(world)
  return answer
}
