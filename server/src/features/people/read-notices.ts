// Notes that somebody has read their notices.

import type { Deps } from '../../adapters/deps.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { writeReadUntil } from './notice-tables.ts'

/**
 * Marks everything up to a moment as read; later than now counts as now, so that nothing is read
 * before it has happened.
 * @returns the moment up to which everything is read
 * @throws DomainError unauthorized when the account is gone
 */
export async function readNotices(deps: Deps, userId: number, readUntil: Date): Promise<Date> {
  const now = deps.clock.now()
  const until = await writeReadUntil(deps.db, userId, readUntil < now ? readUntil : now)
  if (until === undefined) throw new DomainError('unauthorized', 'Unauthorized')
  return until
}
