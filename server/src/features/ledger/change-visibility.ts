// Takes somebody out of the public ranking, or puts them back.

import { existsQuery } from '../../adapters/db/queries.ts'
import type { Deps } from '../../adapters/deps.ts'
import { DomainError } from '../../shared/domain-error.ts'

/** Answers false when nobody is there. */
export const writeVisibility = existsQuery<[userId: number, isHidden: boolean, now: Date]>(
  'set_hidden_from_leaderboard',
  `UPDATE users SET is_hidden_from_leaderboard = $2, updated_at = $3
   WHERE id = $1 AND deleted_at IS NULL RETURNING id`,
)

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
