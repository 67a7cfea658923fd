// RedCoin and holdings of people: guarded changes, each with its row of history in the same
// transaction.

import { type Queryable, statement } from '../../adapters/db/database.ts'

export type RedCoinType =
  | 'store_purchase'
  | 'watch_reward'
  | 'discord_reward'
  | 'admin_grant'
  | 'admin_removal'

export type PackType = 'purchase' | 'watch_reward' | 'admin_grant' | 'admin_removal'

export interface RedCoinChange {
  readonly userId: number
  /** Signed, not 0. */
  readonly amount: number
  readonly type: RedCoinType
  readonly description: string
  /** What caused the change; the pair occurs once per user. */
  readonly sourceType: string
  readonly sourceId: string
  readonly now: Date
}

const changeRedCoin = statement(
  'change_red_coin',
  `WITH person AS (
    UPDATE users SET red_coin_balance = red_coin_balance + $2::bigint, updated_at = $7
    WHERE id = $1 AND red_coin_balance + $2::bigint BETWEEN 0 AND 9007199254740991
    RETURNING id, red_coin_balance
  ), history AS (
    INSERT INTO red_coin_transactions (user_id, amount, type, description, balance_after,
      source_type, source_id, created_at)
    SELECT id, $2, $3, $4, red_coin_balance, $5, $6, $7 FROM person
  )
  SELECT red_coin_balance AS balance FROM person`,
)

/** Changes one balance. Answers the new one, or undefined when it would leave 0 to 2^53-1. */
export async function changeBalance(
  tx: Queryable,
  change: RedCoinChange,
): Promise<number | undefined> {
  const rows = await tx.run<{ balance: number }>(changeRedCoin, [
    change.userId,
    change.amount,
    change.type,
    change.description,
    change.sourceType,
    change.sourceId,
    change.now,
  ])
  return rows[0]?.balance
}

export interface HoldingChange {
  readonly userId: number
  readonly packTypeId: number
  /** Signed, not 0. */
  readonly delta: number
  readonly type: PackType
  readonly description: string
  readonly sourceType: string
  readonly sourceId: string
  readonly now: Date
}

const addPacks = statement(
  'add_packs',
  `WITH holding AS (
    INSERT INTO user_packs (user_id, pack_type_id, quantity, updated_at) VALUES ($1, $2, $3, $8)
    ON CONFLICT (user_id, pack_type_id)
      DO UPDATE SET quantity = user_packs.quantity + EXCLUDED.quantity, updated_at = $8
    RETURNING user_id, pack_type_id, quantity
  ), history AS (
    INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type, description,
      source_type, source_id, created_at)
    SELECT user_id, pack_type_id, $3, quantity, $4, $5, $6, $7, $8 FROM holding
  )
  SELECT quantity FROM holding`,
)

const removePacks = statement(
  'remove_packs',
  `WITH holding AS (
    UPDATE user_packs SET quantity = quantity + $3::int, updated_at = $8
    WHERE user_id = $1 AND pack_type_id = $2 AND quantity + $3::int >= 0
    RETURNING user_id, pack_type_id, quantity
  ), history AS (
    INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type, description,
      source_type, source_id, created_at)
    SELECT user_id, pack_type_id, $3, quantity, $4, $5, $6, $7, $8 FROM holding
  )
  SELECT quantity FROM holding`,
)

/**
 * Changes one holding. Answers the new quantity, or undefined when fewer packs are held than taken.
 */
export async function changeHolding(
  tx: Queryable,
  change: HoldingChange,
): Promise<number | undefined> {
  const rows = await tx.run<{ quantity: number }>(change.delta > 0 ? addPacks : removePacks, [
    change.userId,
    change.packTypeId,
    change.delta,
    change.type,
    change.description,
    change.sourceType,
    change.sourceId,
    change.now,
  ])
  return rows[0]?.quantity
}

const lockPerson = statement(
  'lock_person',
  `SELECT id, username, display_name, red_coin_balance, is_protected, is_earning_blocked
   FROM users
   WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
)

export interface LockedPerson {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly red_coin_balance: number
  readonly is_protected: boolean
  readonly is_earning_blocked: boolean
}

/**
 * Locks a user's row, the first lock of every change of value. Undefined when there is no such
 * user.
 */
export async function lockUser(tx: Queryable, userId: number): Promise<LockedPerson | undefined> {
  return (await tx.run<LockedPerson>(lockPerson, [userId]))[0]
}
