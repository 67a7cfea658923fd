// Makes somebody staff, or takes it away.

import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { Role } from '../../rules/roles.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { lockAccountRow, type StaffChange, setRole } from './admin-tables.ts'

/**
 * Gives a user the role, from their next request on: sessions stay, and live as long as the role
 * allows. The same role again changes nothing and is not recorded.
 * @throws Refusal own_role, not_found, or protected_account for the local account
 */
export async function changeRole(world: World, change: StaffChange, role: Role): Promise<void> {
  const { actorId, requestId, userId } = change
  const now = world.clock.now()
  const isChanged = await world.db.transaction(async (tx) => {
    const account = await lockAccountRow(tx, userId)
    if (account === undefined) throw new Refusal('not_found', 'User not found')
    if (account.isProtected) {
      throw new Refusal('protected_account', 'This account is protected and its role is locked')
    }
    if (userId === actorId) throw new Refusal('own_role', 'You cannot change your own role')
    if (account.role === role) return false
    await setRole(tx, userId, role, now)
    await recordStaffAction(tx, {
      actorId,
      action: 'role.change',
      targetType: 'user',
      targetId: String(userId),
      before: { role: account.role },
      after: { role },
      requestId,
      now,
    })
    return true
  })
  if (isChanged) world.events.publish({ type: 'user_changed', userId })
}
