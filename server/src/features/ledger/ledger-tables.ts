// RedCoin and holdings of people: guarded changes, each with its row of history in the same
// transaction.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import {
  addPackHistory,
  addRedCoinHistory,
  addToHoldings,
  moveBalances,
  moveHoldings,
} from './value-sql.ts'

export type RedCoinType =
  | 'store_purchase'
  | 'watch_reward'
  | 'discord_reward'
  | 'admin_grant'
  | 'admin_removal'
  | 'opening_balance'

export type PackType =
  | 'purchase'
  | 'watch_reward'
  | 'admin_grant'
  | 'admin_removal'
  | 'opening_balance'

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
    ${moveBalances(':amount::bigint')}, updated_at = :now
    WHERE id = :userId AND red_coin_balance + :amount::bigint BETWEEN 0 AND 9007199254740991
    RETURNING id, red_coin_balance
  ), history AS (
    ${addRedCoinHistory}
    SELECT id, :amount, :type, :description, NULL, NULL, red_coin_balance, :sourceType,
      :sourceId, :now
    FROM person
  )
  SELECT red_coin_balance AS balance FROM person`,
)

/** Changes one balance. Answers the new one, or undefined when it would leave 0 to 2^53-1. */
export async function changeBalance(
  tx: Queryable,
  change: RedCoinChange,
): Promise<number | undefined> {
  const rows = await tx.run<{ balance: number }>(changeRedCoin, {
    userId: change.userId,
    amount: change.amount,
    type: change.type,
    description: change.description,
    sourceType: change.sourceType,
    sourceId: change.sourceId,
    now: change.now,
  })
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

const recordHolding = `, history AS (
    ${addPackHistory}
    SELECT user_id, pack_type_id, :delta, quantity, :type, :description, :sourceType,
      :sourceId, :now
    FROM holding
  )
  SELECT quantity FROM holding`
const addPacks = statement(
  'add_packs',
  `WITH holding AS (
    ${addToHoldings('VALUES (:userId, :packTypeId, :delta, :now)')}
  )${recordHolding}`,
)
const removePacks = statement(
  'remove_packs',
  `WITH holding AS (
    ${moveHoldings(':delta::int')}, updated_at = :now
    WHERE user_id = :userId AND pack_type_id = :packTypeId AND quantity + :delta::int >= 0
    RETURNING user_id, pack_type_id, quantity
  )${recordHolding}`,
)

/**
 * Changes one holding. Answers the new quantity, or undefined when fewer packs are held than taken.
 */
export async function changeHolding(
  tx: Queryable,
  change: HoldingChange,
): Promise<number | undefined> {
  const rows = await tx.run<{ quantity: number }>(change.delta > 0 ? addPacks : removePacks, {
    userId: change.userId,
    packTypeId: change.packTypeId,
    delta: change.delta,
    type: change.type,
    description: change.description,
    sourceType: change.sourceType,
    sourceId: change.sourceId,
    now: change.now,
  })
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
