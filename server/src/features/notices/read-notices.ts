// Notes that somebody has read their notices.

import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import { writeReadUntil } from './tables.ts'

/**
 * Marks everything up to a moment as read; later than now counts as now, so that nothing is read
 * before it has happened.
 * @returns the moment up to which everything is read
 * @throws Refusal unauthorized when the account is gone
 */
export async function readNotices(world: World, userId: number, readUntil: Date): Promise<Date> {
  const now = world.clock.now()
  const until = await writeReadUntil(world.db, userId, readUntil < now ? readUntil : now)
  if (until === undefined) throw new Refusal('unauthorized', 'Unauthorized')
  return until
}
