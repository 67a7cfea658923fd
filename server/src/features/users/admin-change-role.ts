// Makes somebody staff, or takes it away.

import type { Queryable } from '../../adapters/db/database.ts'
import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import { type Actor, mayChangeRole, type Role } from '../../rules/roles.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { deleteSessions } from '../auth/tables.ts'
import { type LockedAccount, lockAccountRow, setRole } from './admin-tables.ts'

/** A session for who has changed their own role, in place of the one they did it with. */
export interface RenewedSession {
  /** Goes into the cookie and nowhere else. */
  readonly token: string
  readonly maxAgeSeconds: number
}

export type RenewSession = (
  world: World,
  tx: Queryable,
  who: { readonly userId: number; readonly role: Role; readonly createdAt: Date },
) => Promise<RenewedSession>

export interface RoleChange {
  readonly actor: Actor
  readonly requestId: string
  readonly userId: number
  readonly role: Role
}

/**
 * Gives a user the role. Every session of theirs ends with it: what somebody may have copied while
 * it was worth less is not worth more now, and the other way round. Who changes their own role goes
 * on in a new session, which is answered. The same role again changes nothing and is not recorded.
 * @throws Refusal not_found, protected_account for the local account, or forbidden where roles are
 * strict and this is for super users alone
 */
export async function changeRole(
  world: World,
  change: RoleChange,
  renewSession: RenewSession,
): Promise<RenewedSession | undefined> {
  const { userId, role } = change
  const { isChanged, renewed } = await world.db.transaction(async (tx) => {
    const account = await lockAccountRow(tx, userId)
    if (account === undefined) throw new Refusal('not_found', 'User not found')
    requirePower(world, change, account)
    if (account.role === role) return { isChanged: false, renewed: undefined }
    await setRole(tx, userId, role, world.clock.now())
    await record(world, tx, change, account)
    const ended = await deleteSessions(tx, userId)
    if (userId !== change.actor.userId) return { isChanged: true, renewed: undefined }
    const own = ended.find(({ tokenHash }) => tokenHash === change.actor.sessionHash)
    if (own === undefined) throw new Refusal('unauthorized', 'Unauthorized')
    const who = { userId, role, createdAt: own.createdAt }
    return { isChanged: true, renewed: await renewSession(world, tx, who) }
  })
  if (isChanged) {
    world.events.publish({ type: 'sessions_ended', userId })
    world.events.publish({ type: 'user_changed', userId })
  }
  return renewed
}

function requirePower({ config }: World, change: RoleChange, account: LockedAccount): void {
  if (account.isProtected) {
    throw new Refusal('protected_account', 'This account is protected and its role is locked')
  }
  if (!mayChangeRole(change.actor.role, account.role, change.role, config.strictRoles)) {
    throw new Refusal('forbidden', 'Only a super user can give or take this role')
  }
}

async function record(
  { clock }: World,
  tx: Queryable,
  { actor, requestId, userId, role }: RoleChange,
  account: LockedAccount,
): Promise<void> {
  await recordStaffAction(tx, {
    actorId: actor.userId,
    action: 'role.change',
    targetType: 'user',
    targetId: String(userId),
    before: { role: account.role },
    after: { role },
    requestId,
    now: clock.now(),
  })
}
