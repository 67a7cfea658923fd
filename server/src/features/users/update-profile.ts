// Changes what people may change about their own account.

import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import { type ProfileChanges, writeProfile } from './tables.ts'

/**
 * Changes the given fields of the profile; absent ones stay.
 * @throws Refusal unauthorized when the account is gone
 */
export async function updateProfile(
  world: World,
  userId: number,
  changes: ProfileChanges,
): Promise<void> {
  const isWritten = await writeProfile(world.db, userId, changes, world.clock.now())
  if (!isWritten) throw new Refusal('unauthorized', 'Unauthorized')
  world.events.publish({ type: 'user_changed', userId })
}
