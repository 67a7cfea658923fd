// Changes what people may change about their own account.

import type { Deps } from '../../adapters/deps.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { type ProfileChanges, writeProfile } from './profile-tables.ts'

/**
 * Changes the given fields of the profile; absent ones stay.
 * @throws DomainError unauthorized when the account is gone
 */
export async function updateProfile(
  deps: Deps,
  userId: number,
  changes: ProfileChanges,
): Promise<void> {
  const isWritten = await writeProfile(deps.db, userId, changes, deps.clock.now())
  if (!isWritten) throw new DomainError('unauthorized', 'Unauthorized')
  deps.events.publish({ type: 'user_changed', userId })
}
