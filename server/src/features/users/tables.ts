// The SQL of what people may change about their own account.

import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Queryable } from '../../adapters/db/database.ts'
import { users } from '../../adapters/db/schema-accounts.ts'

/** An absent field stays as it is; null clears it. */
export interface ProfileChanges {
  readonly displayName?: string | undefined
  readonly email?: string | null | undefined
  readonly bio?: string | null | undefined
  readonly country?: string | null | undefined
  readonly timezone?: string | null | undefined
  /** Merged into what is stored. */
  readonly notifications?:
    | {
        readonly email?: boolean | undefined
        readonly prizes?: boolean | undefined
        readonly rewards?: boolean | undefined
      }
    | undefined
  readonly solanaWallet?: string | null | undefined
}

/**
 * Writes exactly the seven fields, whatever else the object carries. Answers false when nobody is
 * there.
 */
export async function writeProfile(
  db: Queryable,
  userId: number,
  changes: ProfileChanges,
  now: Date,
): Promise<boolean> {
  const { displayName, email, bio, country, timezone, notifications, solanaWallet } = changes
  const rows = await db.orm
    .update(users)
    .set({
      displayName,
      email,
      bio,
      country,
      timezone,
      notifications:
        notifications === undefined
          ? undefined
          : sql`${users.notifications} || ${JSON.stringify(notifications)}::jsonb`,
      solanaWallet,
      // Proof of ownership belongs to the address it was given for.
      solanaWalletVerifiedAt:
        solanaWallet === undefined
          ? undefined
          : sql`CASE WHEN ${users.solanaWallet} = ${solanaWallet} THEN ${users.solanaWalletVerifiedAt} END`,
      updatedAt: now,
    })
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
    .returning({ id: users.id })
  return rows.length > 0
}
