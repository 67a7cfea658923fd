// What the caller sees of the own account.

import type { Profile } from '@redpack/contract'
import { and, eq, isNull } from 'drizzle-orm'
import type { Queryable } from '../../adapters/db/database.ts'
import { users } from '../../adapters/db/schema-accounts.ts'
import { Refusal } from '../../rules/refusal.ts'

const columns = {
  id: users.id,
  username: users.username,
  displayName: users.displayName,
  email: users.email,
  avatar: users.avatar,
  bio: users.bio,
  country: users.country,
  timezone: users.timezone,
  notifications: users.notifications,
  solanaWallet: users.solanaWallet,
  discordId: users.discordId,
  discordUsername: users.discordUsername,
  discordAvatar: users.discordAvatar,
  role: users.role,
  redCoinBalance: users.redCoinBalance,
  createdAt: users.createdAt,
}

/** @throws Refusal unauthorized when the account is gone since the caller was recognised */
export async function profileOf(db: Queryable, userId: number): Promise<Profile> {
  const rows = await db.orm
    .select(columns)
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
  const row = rows[0]
  if (row === undefined) throw new Refusal('unauthorized', 'Unauthorized')
  // Every switch starts switched on; a row may name only some of them.
  const switches = row.notifications as Partial<Profile['notifications']>
  return {
    ...row,
    role: row.role as Profile['role'],
    notifications: {
      email: switches.email ?? true,
      prizes: switches.prizes ?? true,
      rewards: switches.rewards ?? true,
    },
    createdAt: row.createdAt.toISOString(),
  }
}
