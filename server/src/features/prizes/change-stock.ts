// Adds to the stock of a prize, or sets it.

import { integerMax } from '@redpack/contract/limits'
import { keyedByStaff, type OnceAnswer, once } from '../../adapters/db/once.ts'
import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffCall } from '../../rules/staff-call.ts'
import { setPrizeStock } from './tables.ts'
import {
  announcePrizes,
  type ChangedPrize,
  lockLivePrize,
  recordPrizeChange,
} from './write-prize.ts'

/** Units to add, 1 or more, or the new stock with null for unlimited. */
export type StockChange = { readonly add: number } | { readonly set: number | null }

/**
 * Changes the stock from what it is under the lock, so a win in between is not undone.
 * @throws Refusal not_found, unlimited_stock when adding to what has no end, invalid_input when the
 * stock would be too large
 */
export async function changeStock(
  world: World,
  staff: StaffCall,
  id: number,
  change: StockChange,
): Promise<OnceAnswer<ChangedPrize>> {
  const now = world.clock.now()
  const call = keyedByStaff(staff, [id, change], now)
  const answer = await once(world.db, call, async (tx) => {
    const before = await lockLivePrize(tx, id)
    const quantity = 'set' in change ? change.set : sum(before.inventoryQuantity, change.add)
    if (quantity !== before.inventoryQuantity) {
      const source = { type: 'staff_change', id: staff.requestId } as const
      await setPrizeStock(tx, id, quantity, source, now)
    }
    return recordPrizeChange(tx, staff, 'change_stock', { id, before, now })
  })
  if (!answer.replayed) announcePrizes(world)
  return answer
}

function sum(stock: number | null, more: number): number {
  if (stock === null) throw new Refusal('unlimited_stock', 'Prize has unlimited stock')
  if (stock + more > integerMax) throw new Refusal('invalid_input', 'Quantity is too large')
  return stock + more
}
