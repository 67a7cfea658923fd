// Connects and disconnects the caller's wallet.

import type { Deps } from '../../adapters/deps.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { tellingWalletChange } from '../outbox/tables.ts'
import { writeProfile } from './profile-tables.ts'

/**
 * Sets the wallet address, or clears it with null. Any text of the right form is taken, since an
 * address carries no checksum; only a proof shows that somebody owns it.
 * @throws DomainError unauthorized when the account is gone
 */
export async function updateWallet(
  deps: Deps,
  userId: number,
  walletAddress: string | null,
): Promise<void> {
  const changes = { solanaWallet: walletAddress }
  const now = deps.clock.now()
  const isWritten = await deps.db.transaction((tx) =>
    tellingWalletChange(tx, userId, now, () => writeProfile(tx, userId, changes, now)),
  )
  if (!isWritten) throw new DomainError('unauthorized', 'Unauthorized')
  deps.events.publish({ type: 'user_changed', userId })
}
