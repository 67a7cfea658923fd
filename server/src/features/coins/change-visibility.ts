// Takes somebody out of the public ranking, or puts them back.

import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import { writeVisibility } from './tables.ts'

/**
 * Every copy of the ranking is built anew, so who hides is gone from it at once.
 * @throws Refusal unauthorized when the account is gone
 */
export async function changeVisibility(
  world: World,
  userId: number,
  isHidden: boolean,
): Promise<void> {
  const isWritten = await writeVisibility(world.db, userId, isHidden, world.clock.now())
  if (!isWritten) throw new Refusal('unauthorized', 'Unauthorized')
  world.events.publish({ type: 'leaderboard_changed' })
}
