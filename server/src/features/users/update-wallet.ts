// Connects and disconnects the caller's wallet.

import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import { requireWalletAddress } from '../../rules/wallet.ts'
import { writeProfile } from './tables.ts'

/**
 * Sets the wallet address, or clears it with null.
 * @throws Refusal invalid_input for text that is no address, unauthorized when the account is gone
 */
export async function updateWallet(
  world: World,
  userId: number,
  walletAddress: string | null,
): Promise<void> {
  requireWalletAddress(walletAddress, 'walletAddress')
  const changes = { solanaWallet: walletAddress }
  const isWritten = await writeProfile(world.db, userId, changes, world.clock.now())
  if (!isWritten) throw new Refusal('unauthorized', 'Unauthorized')
  world.events.publish({ type: 'user_changed', userId })
}
