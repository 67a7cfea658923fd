// Shuts somebody out from earning who was shut out before, under an account that is gone.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { findTombstone, type OutsideAccount } from './leaving-tables.ts'
import { lockAccountRow, setEarningBlock } from './users-tables.ts'

/**
 * An earning block stays with the outside account: who leaves with it has it again when they come
 * back, until staff lift it. Answers true when the user is blocked now and was not before.
 */
export async function restoreEarningBlock(
  { clock, encryption }: Pick<Deps, 'clock' | 'encryption'>,
  tx: Queryable,
  userId: number,
  { provider, id }: OutsideAccount,
): Promise<boolean> {
  const tombstone = await findTombstone(tx, provider, encryption.fingerprints(provider, id))
  if (tombstone?.isEarningBlocked !== true) return false
  const account = await lockAccountRow(tx, userId)
  if (account === undefined || account.isProtected || account.isEarningBlocked) return false
  const now = clock.now()
  await setEarningBlock(tx, userId, true, now)
  await recordStaffAction(tx, {
    actorId: null,
    action: 'earning.block',
    targetType: 'user',
    targetId: String(userId),
    before: { isEarningBlocked: false },
    after: { isEarningBlocked: true },
    reason: `The owner of this ${provider === 'twitch' ? 'Twitch' : 'Discord'} account was blocked before`,
    requestId: null,
    now,
  })
  return true
}
