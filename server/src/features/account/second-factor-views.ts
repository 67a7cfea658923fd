// What the local account sees of its second factor.

import type { SecondFactorStatus } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'

const readStatus = statement(
  'read_second_factor_status',
  `SELECT u.is_protected, f.confirmed_at,
     (SELECT count(*)::int FROM recovery_codes c WHERE c.user_id = u.id AND c.used_at IS NULL)
       AS codes_left
   FROM users u LEFT JOIN second_factors f ON f.user_id = u.id WHERE u.id = $1`,
)

/** A secret that was not confirmed yet does not count. */
export async function secondFactorStatus(
  db: Queryable,
  userId: number,
): Promise<SecondFactorStatus> {
  const [row] = await db.run<{
    is_protected: boolean
    confirmed_at: Date | null
    codes_left: number
  }>(readStatus, [userId])
  return {
    isAvailable: row?.is_protected === true,
    isEnabled: row !== undefined && row.confirmed_at !== null,
    enabledAt: row?.confirmed_at?.toISOString() ?? null,
    recoveryCodesLeft: row?.codes_left ?? 0,
  }
}
