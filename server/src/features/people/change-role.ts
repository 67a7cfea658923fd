// Makes somebody staff, or takes it away.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { type Actor, mayChangeRole, type Role } from '../../rules/roles.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { deleteSessions } from '../account/tables.ts'
import { type LockedAccount, lockAccountRow, setRole } from '../account/users-tables.ts'

/** A session for who has changed their own role, in place of the one they did it with. */
export interface RenewedSession {
  /** Goes into the cookie and nowhere else. */
  readonly token: string
  readonly maxAgeSeconds: number
}

export type RenewSession = (
  deps: Deps,
  tx: Queryable,
  who: { readonly userId: number; readonly role: Role; readonly createdAt: Date },
) => Promise<RenewedSession>

export interface RoleChange {
  readonly actor: Actor
  readonly userId: number
  readonly role: Role
}

/**
 * Gives a user the role. Every session of theirs ends with it: what somebody may have copied while
 * it was worth less is not worth more now, and the other way round. Who changes their own role goes
 * on in a new session, which is answered. The same role again changes nothing and is not recorded.
 * @throws DomainError not_found, protected_account for the local account, or forbidden where roles
 * are strict and this is for super users alone
 */
export async function changeRole(
  tx: Queryable,
  { now }: Author,
  deps: Deps,
  change: RoleChange,
  renewSession: RenewSession,
): Promise<Outcome<RenewedSession | undefined>> {
  const { actor, userId, role } = change
  const account = await lockAccountRow(tx, userId)
  if (account === undefined) throw new DomainError('not_found', 'User not found')
  requirePower(deps, change, account)
  if (account.role === role) return { answer: undefined }
  await setRole(tx, userId, role, now)
  const ended = await deleteSessions(tx, userId)
  const done = {
    answer: undefined,
    audit: {
      action: 'role.change',
      targetType: 'user',
      targetId: String(userId),
      before: { role: account.role },
      after: { role },
    },
    events: [
      { type: 'sessions_ended', userId },
      { type: 'user_changed', userId },
    ],
  } as const
  if (userId !== actor.userId) return done
  const own = ended.find(({ tokenHash }) => tokenHash === actor.sessionHash)
  if (own === undefined) throw new DomainError('unauthorized', 'Unauthorized')
  return {
    ...done,
    answer: await renewSession(deps, tx, { userId, role, createdAt: own.createdAt }),
  }
}

function requirePower({ config }: Deps, change: RoleChange, account: LockedAccount): void {
  if (account.isProtected) {
    throw new DomainError('protected_account', 'This account is protected and its role is locked')
  }
  if (!mayChangeRole(change.actor.role, account.role, change.role, config.strictRoles)) {
    throw new DomainError('forbidden', 'Only a super user can give or take this role')
  }
}
