// Shuts somebody out from earning without taking anything they have.

import type { Queryable } from '../../adapters/db/database.ts'
import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { liftRememberedBlock, outsideAccounts } from '../privacy/tables.ts'
import { lockAccountRow, type StaffChange, setEarningBlock } from './admin-tables.ts'

/**
 * While blocked a user earns nothing by watching and from the chat bot. Opening packs, buying,
 * claiming prizes and grants by staff stay open: what is theirs stays theirs.
 * @throws Refusal not_found, or protected_account
 */
export async function blockEarning(
  world: World,
  change: StaffChange,
  isBlocked: boolean,
  reason: string,
): Promise<void> {
  const { actorId, requestId, userId } = change
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const account = await lockAccountRow(tx, userId)
    if (account === undefined) throw new Refusal('not_found', 'User not found')
    if (account.isProtected) {
      throw new Refusal('protected_account', 'This account is protected and cannot be blocked')
    }
    // Blocking again may give a better reason; allowing what is allowed says nothing.
    if (!isBlocked && !account.isEarningBlocked) return
    await setEarningBlock(tx, userId, isBlocked, now)
    if (!isBlocked) await forgetBlock(world, tx, userId)
    await recordStaffAction(tx, {
      actorId,
      action: isBlocked ? 'earning.block' : 'earning.allow',
      targetType: 'user',
      targetId: String(userId),
      before: { isEarningBlocked: account.isEarningBlocked },
      after: { isEarningBlocked: isBlocked },
      reason,
      requestId,
      now,
    })
  })
  world.events.publish({ type: 'user_changed', userId })
}

/** Who may earn again is not to be shut out by leaving, coming back or linking an account. */
async function forgetBlock({ encryption }: World, tx: Queryable, userId: number): Promise<void> {
  for (const { provider, id } of await outsideAccounts(tx, userId)) {
    await liftRememberedBlock(tx, provider, encryption.fingerprints(provider, id))
  }
}
