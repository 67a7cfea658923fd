// Connects and disconnects the caller's wallet.

import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import { writeProfile } from './tables.ts'

/**
 * Sets the wallet address, or clears it with null. Any text of the right form is taken, since an
 * address carries no checksum; only a proof shows that somebody owns it.
 * @throws Refusal unauthorized when the account is gone
 */
export async function updateWallet(
  world: World,
  userId: number,
  walletAddress: string | null,
): Promise<void> {
  const changes = { solanaWallet: walletAddress }
  const isWritten = await writeProfile(world.db, userId, changes, world.clock.now())
  if (!isWritten) throw new Refusal('unauthorized', 'Unauthorized')
  world.events.publish({ type: 'user_changed', userId })
}
