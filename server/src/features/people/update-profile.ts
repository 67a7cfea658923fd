// Changes what people may change about their own account.

import type { Deps } from '../../adapters/deps.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { tellingWalletChange } from '../outbox/tables.ts'
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
  const now = deps.clock.now()
  const isWritten =
    changes.solanaWallet === undefined
      ? await writeProfile(deps.db, userId, changes, now)
      : await deps.db.transaction((tx) =>
          tellingWalletChange(tx, userId, now, () => writeProfile(tx, userId, changes, now)),
        )
  if (!isWritten) throw new DomainError('unauthorized', 'Unauthorized')
  deps.events.publish({ type: 'user_changed', userId })
}
