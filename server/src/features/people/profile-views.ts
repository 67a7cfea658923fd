// What the caller sees of the own account.

import type { Profile } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { DomainError } from '../../shared/domain-error.ts'

const readProfile = statement(
  'read_own_profile',
  `SELECT id, username, display_name AS "displayName", email, avatar, bio, country, timezone,
     notifications, solana_wallet AS "solanaWallet", discord_id AS "discordId",
     discord_username AS "discordUsername", discord_avatar AS "discordAvatar", role,
     red_coin_balance AS "redCoinBalance", created_at AS "createdAt"
   FROM users WHERE id = $1 AND deleted_at IS NULL`,
)

type Row = Omit<Profile, 'notifications' | 'createdAt'> & {
  readonly notifications: Partial<Profile['notifications']>
  readonly createdAt: Date
}

/** @throws DomainError unauthorized when the account is gone since the caller was recognised */
export async function profileOf(db: Queryable, userId: number): Promise<Profile> {
  const [row] = await db.run<Row>(readProfile, [userId])
  if (row === undefined) throw new DomainError('unauthorized', 'Unauthorized')
  // Every switch starts switched on; a row may name only some of them.
  const { email, prizes, rewards } = row.notifications
  return {
    ...row,
    notifications: { email: email ?? true, prizes: prizes ?? true, rewards: rewards ?? true },
    createdAt: row.createdAt.toISOString(),
  }
}
