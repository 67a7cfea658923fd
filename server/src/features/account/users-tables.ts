// The SQL of what staff change about a user.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { Role } from '../../rules/roles.ts'

export interface LockedAccount {
  readonly id: number
  readonly role: Role
  readonly isProtected: boolean
  readonly isEarningBlocked: boolean
}

const lockAccount = statement(
  'lock_account_for_staff',
  `SELECT id, role, is_protected AS "isProtected", is_earning_blocked AS "isEarningBlocked"
   FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
)
const writeRole = statement(
  'write_role',
  'UPDATE users SET role = $2, updated_at = $3 WHERE id = $1 AND NOT is_protected',
)
const writeBlock = statement(
  'write_earning_block',
  'UPDATE users SET is_earning_blocked = $2, updated_at = $3 WHERE id = $1 AND NOT is_protected',
)

/** Locks the row of somebody who has not left. */
export async function lockAccountRow(
  tx: Queryable,
  userId: number,
): Promise<LockedAccount | undefined> {
  return (await tx.run<LockedAccount>(lockAccount, [userId]))[0]
}

export async function setRole(tx: Queryable, userId: number, role: Role, now: Date): Promise<void> {
  await tx.run(writeRole, [userId, role, now])
}

export async function setEarningBlock(
  tx: Queryable,
  userId: number,
  isBlocked: boolean,
  now: Date,
): Promise<void> {
  await tx.run(writeBlock, [userId, isBlocked, now])
}
