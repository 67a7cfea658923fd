// The SQL of what people may change about their own account.

import { type Queryable, statement } from '../../adapters/db/database.ts'

// Proof of ownership belongs to the address it was given for.
const updateProfile = statement(
  'update_profile',
  `UPDATE users SET
     display_name = CASE WHEN 'displayName' = ANY(given.names) THEN :displayName
       ELSE display_name END,
     email = CASE WHEN 'email' = ANY(given.names) THEN :email ELSE email END,
     bio = CASE WHEN 'bio' = ANY(given.names) THEN :bio ELSE bio END,
     country = CASE WHEN 'country' = ANY(given.names) THEN :country ELSE country END,
     timezone = CASE WHEN 'timezone' = ANY(given.names) THEN :timezone ELSE timezone END,
     notifications = notifications || coalesce(:notifications::jsonb, '{}'),
     solana_wallet = CASE WHEN 'solanaWallet' = ANY(given.names) THEN :solanaWallet
       ELSE solana_wallet END,
     solana_wallet_verified_at = CASE WHEN 'solanaWallet' <> ALL(given.names)
       OR solana_wallet = :solanaWallet THEN solana_wallet_verified_at END,
     updated_at = :now
   FROM (SELECT :given::text[] AS names) given
   WHERE id = :userId AND deleted_at IS NULL
   RETURNING id`,
)

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
  const texts = { displayName, email, bio, country, timezone, solanaWallet }
  const given = Object.entries(texts).filter(([, value]) => value !== undefined)
  const rows = await db.run(updateProfile, {
    ...texts,
    notifications: notifications && JSON.stringify(notifications),
    given: given.map(([name]) => name),
    now,
    userId,
  })
  return rows.length > 0
}
