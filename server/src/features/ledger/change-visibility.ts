// Takes somebody out of the public ranking, or puts them back.

import type { Deps } from '../../adapters/deps.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { writeVisibility } from './visibility-tables.ts'

/**
 * Every copy of the ranking is built anew, so who hides is gone from it at once.
 * @throws DomainError unauthorized when the account is gone
 */
export async function changeVisibility(
  deps: Deps,
  userId: number,
  isHidden: boolean,
): Promise<void> {
  const isWritten = await writeVisibility(deps.db, userId, isHidden, deps.clock.now())
  if (!isWritten) throw new DomainError('unauthorized', 'Unauthorized')
  deps.events.publish({ type: 'leaderboard_changed' })
}
