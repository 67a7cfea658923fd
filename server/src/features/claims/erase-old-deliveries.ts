// Erases delivery details that are not needed any more.

import type { Deps } from '../../adapters/deps.ts'
import { eraseContacts } from './delivery-tables.ts'

const keptDays = 90
const dayMillis = 86_400_000
const batchMax = 500

/**
 * Erases the contact details of claims that were completed or removed 90 days ago or earlier, 500
 * at a time. May run at any time and as often as one likes.
 * @returns how many claims lost their details
 */
export async function eraseOldDeliveries(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const now = deps.clock.now()
  const before = new Date(now.getTime() - keptDays * dayMillis)
  for (let total = 0; ; ) {
    const erased = await eraseContacts(deps.db, before, now, batchMax)
    total += erased
    if (erased < batchMax) return total
  }
}
