// RedCoin and holdings of people, one by one and of many at once with locks taken in id order, and
// stock of prizes and listings: guarded changes, each with its row of history in the same
// transaction.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { existsQuery, oneValueQuery, rowQuery, valueQuery } from '../../adapters/db/queries.ts'
import type { Suspension } from '../../rules/roles.ts'
import { suspensionOf } from '../../shared/standing-sql.ts'
import {
  addPackHistory,
  addRedCoinHistory,
  addStockHistory,
  addToHoldings,
  moveBalances,
  moveHoldings,
  putStock,
  type StockKind,
  takeStock,
} from './value-sql.ts'

export type RedCoinType =
  | 'store_purchase'
  | 'watch_reward'
  | 'discord_reward'
  | 'admin_grant'
  | 'admin_removal'
  | 'opening_balance'

export type PackType = 'purchase' | 'watch_reward' | 'admin_grant' | 'opening_balance'

/** What the history says of a change. */
export interface ChangeReason {
  readonly description: string
  /** What caused the change; the pair occurs once per user. */
  readonly sourceType: string
  readonly sourceId: string
  readonly now: Date
}

interface ChangeOfOne<Type> extends ChangeReason {
  readonly userId: number
  readonly type: Type
}

export interface RedCoinChange extends ChangeOfOne<RedCoinType> {
  /** Signed, not 0. */
  readonly amount: number
}

/** Changes one balance. Answers the new one, or undefined when it would leave 0 to 2^53-1. */
export const changeBalance = valueQuery<{ balance: number }, [change: RedCoinChange]>(
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

export interface HoldingChange extends ChangeOfOne<PackType> {
  readonly packTypeId: number
  /** 1 or more. */
  readonly delta: number
}

/** Gives packs to one holding, made where there is none. Answers the new quantity. */
export const changeHolding = oneValueQuery<{ quantity: number }, [change: HoldingChange]>(
  'add_packs',
  `WITH holding AS (
    ${addToHoldings('VALUES (:userId, :packTypeId, :delta, :now)')}
  ), history AS (
    ${addPackHistory}
    SELECT user_id, pack_type_id, :delta, quantity, :type, :description, :sourceType,
      :sourceId, :now
    FROM holding
  )
  SELECT quantity FROM holding`,
)

export interface LockedPerson {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly red_coin_balance: number
  readonly is_protected: boolean
  readonly is_earning_blocked: boolean
  readonly suspended_until: Date | null
  /** What the person goes by while staff show another name; null while that is shown. */
  readonly own_name: string | null
  readonly suspension: Suspension | null
}

const readPerson = `SELECT id, username, display_name, red_coin_balance, is_protected,
     is_earning_blocked, suspended_until, own_name, ${suspensionOf('users')} AS suspension
   FROM users
   WHERE id = $1 AND deleted_at IS NULL`

/**
 * Locks a user's row, the first lock of every change of value. Undefined when there is no such
 * user.
 */
export const lockUser = rowQuery<LockedPerson, [userId: number]>(
  'lock_person',
  `${readPerson} FOR NO KEY UPDATE`,
)

/**
 * The same for a change of accounts elsewhere, which are unique: it waits for all that refers to
 * the user, such as the key of a call under way that will lock them next.
 */
export const lockWholeUser = rowQuery<LockedPerson, [userId: number]>(
  'lock_whole_person',
  `${readPerson} FOR UPDATE`,
)

export interface ManyReason extends ChangeReason {
  /** Of the rows that give. */
  readonly gain: RedCoinType & PackType
  /** Of the rows that take. */
  readonly loss: RedCoinType & 'admin_removal'
}

/** One signed change per user, in both lists at the same place. */
export interface ManyChanges extends ManyReason {
  readonly userIds: readonly number[]
  readonly amounts: readonly number[]
}

export interface Changed {
  readonly userId: number
  /** What really changed, signed; 0 when there was nothing to take. */
  readonly delta: number
  /** Balance or quantity afterwards. */
  readonly after: number
}

const typeOfRow = 'CASE WHEN delta > 0 THEN :gain ELSE :loss END'

// Locks in a statement of their own: the one after it sees what those before us have committed. In
// one statement with the locks, a holding would be read as it was before the wait for them.
const lockPeople = statement(
  'lock_people_of_grant',
  'SELECT id FROM users WHERE id = ANY($1::int[]) ORDER BY id FOR NO KEY UPDATE',
)
const lockEveryone = statement(
  'lock_everyone',
  'SELECT count(*) AS locked FROM (SELECT id FROM users ORDER BY id FOR NO KEY UPDATE) AS people',
)

/** Changes balances by `target`, which locks them and gives id, balance and delta of each. */
const balancesBy = (target: string) =>
  `WITH target AS MATERIALIZED (${target}), moved AS (
    ${moveBalances('target.delta')}, updated_at = :now
    FROM target WHERE users.id = target.id AND target.delta <> 0
  ), history AS (
    ${addRedCoinHistory}
    SELECT id, delta, ${typeOfRow}, :description, NULL, NULL, balance + delta,
      :sourceType, :sourceId, :now
    FROM target WHERE delta <> 0 ORDER BY id
  )
  SELECT id AS "userId", delta, balance + delta AS after FROM target ORDER BY id`

const changeMany = statement(
  'change_redcoin_of_many',
  balancesBy(`
    SELECT u.id, greatest(w.amount, -u.red_coin_balance) AS delta, u.red_coin_balance AS balance
    FROM unnest(:userIds::int[], :amounts::bigint[]) AS w (user_id, amount)
    JOIN users u ON u.id = w.user_id AND u.deleted_at IS NULL
    ORDER BY u.id
    FOR NO KEY UPDATE OF u`),
)
const takeAllRedCoin = statement(
  'take_all_redcoin',
  balancesBy(`
    SELECT id, -red_coin_balance AS delta, red_coin_balance AS balance FROM users
    WHERE red_coin_balance > 0 ORDER BY id FOR NO KEY UPDATE`),
)

/**
 * Changes balances; a negative amount takes at most what is there. Answers them in the order of
 * user IDs.
 * @throws a check violation when one would grow beyond 2^53-1
 */
export async function changeBalances(tx: Queryable, changes: ManyChanges): Promise<Changed[]> {
  await tx.run(lockPeople, [changes.userIds])
  return tx.run<Changed>(changeMany, { ...changes })
}

/** Takes every balance to 0 and answers what was taken from whom. */
export async function takeAllBalances(tx: Queryable, reason: ManyReason): Promise<Changed[]> {
  await tx.run(lockEveryone, [])
  return tx.run<Changed>(takeAllRedCoin, { ...reason })
}

const changePacks = statement(
  'change_packs_of_many',
  `WITH person AS MATERIALIZED (
    SELECT u.id, w.amount FROM unnest(:userIds::int[], :amounts::int[]) AS w (user_id, amount)
    JOIN users u ON u.id = w.user_id AND u.deleted_at IS NULL
    ORDER BY u.id
    FOR NO KEY UPDATE OF u
  ), held AS MATERIALIZED (
    SELECT h.user_id, h.quantity FROM person
    JOIN user_packs h ON h.user_id = person.id AND h.pack_type_id = :packTypeId
    ORDER BY h.user_id
    FOR NO KEY UPDATE OF h
  ), target AS MATERIALIZED (
    SELECT person.id, coalesce(held.quantity, 0) AS quantity,
      greatest(person.amount, -coalesce(held.quantity, 0)) AS delta
    FROM person LEFT JOIN held ON held.user_id = person.id
  ), gained AS (
    ${addToHoldings('SELECT id, :packTypeId, delta, :now FROM target WHERE delta > 0 ORDER BY id')}
  ), lost AS (
    ${moveHoldings('target.delta')}, updated_at = :now
    FROM target
    WHERE user_packs.user_id = target.id AND user_packs.pack_type_id = :packTypeId
      AND target.delta < 0
    RETURNING user_packs.user_id, user_packs.pack_type_id, user_packs.quantity
  ), done AS (
    SELECT target.id, target.delta, coalesce(now_held.quantity, target.quantity) AS after
    FROM target
    LEFT JOIN (SELECT * FROM gained UNION ALL SELECT * FROM lost) AS now_held
      ON now_held.user_id = target.id
  ), history AS (
    ${addPackHistory}
    SELECT id, :packTypeId, delta, after, ${typeOfRow}, :description, :sourceType, :sourceId, :now
    FROM done WHERE delta <> 0 ORDER BY id
  )
  SELECT id AS "userId", delta, after FROM done ORDER BY id`,
)
const takeAllPacks = statement(
  'take_all_packs',
  `WITH person AS MATERIALIZED (
    SELECT id FROM users u
    WHERE EXISTS (SELECT FROM user_packs h WHERE h.user_id = u.id AND h.quantity > 0)
    ORDER BY id FOR NO KEY UPDATE
  ), target AS MATERIALIZED (
    SELECT h.id, h.user_id, h.pack_type_id, -h.quantity AS delta FROM person
    JOIN user_packs h ON h.user_id = person.id
    ORDER BY h.user_id, h.pack_type_id FOR NO KEY UPDATE OF h
  ), moved AS (
    ${moveHoldings('target.delta')}, updated_at = :now
    FROM target WHERE user_packs.id = target.id AND target.delta < 0
  ), history AS (
    ${addPackHistory}
    SELECT user_id, pack_type_id, delta, 0, ${typeOfRow}, :description, :sourceType, :sourceId, :now
    FROM target WHERE delta < 0 ORDER BY user_id, pack_type_id
  )
  SELECT user_id AS "userId", delta, 0 AS after FROM target WHERE delta < 0
  ORDER BY user_id, pack_type_id`,
)

/**
 * Changes holdings of one pack type; a negative amount takes at most what is there. Answers them
 * in the order of user IDs.
 * @throws a range error when one would grow beyond 2^31-1
 */
export async function changeHoldings(
  tx: Queryable,
  packTypeId: number,
  changes: ManyChanges,
): Promise<Changed[]> {
  await tx.run(lockPeople, [changes.userIds])
  return tx.run<Changed>(changePacks, { ...changes, packTypeId })
}

/** Takes every holding to 0 and answers what was taken from whom, a row per user and pack type. */
export async function takeAllHoldings(tx: Queryable, reason: ManyReason): Promise<Changed[]> {
  await tx.run(lockEveryone, [])
  return tx.run<Changed>(takeAllPacks, { ...reason })
}

export interface StockSource {
  readonly type: 'created' | 'staff_change'
  readonly id: string
}

export interface NewStock {
  readonly kind: StockKind
  /** Of the prize or listing. */
  readonly id: number
  /** 0 or more; null makes a prize unlimited, which a listing says in a column of its own. */
  readonly quantity: number | null
  /** What caused the change; it occurs once per prize or listing. */
  readonly source: StockSource
  readonly now: Date
}

// Stock that was unlimited may have left events behind, and sales of an unlimited listing leave
// none, so the history itself says what it holds.
const settingOf = (kind: StockKind) =>
  `WITH changed AS (
    ${putStock(kind, ':quantity::int')}, updated_at = :now WHERE id = :id::int RETURNING id
  )
  ${addStockHistory}
  SELECT '${kind}', :id::int, change.delta, :quantity::int, :sourceType, :sourceId, :now
  FROM (SELECT coalesce(:quantity::int, 0) - coalesce((SELECT sum(delta) FROM stock_events
    WHERE kind = '${kind}' AND ref_id = :id::int), 0) AS delta FROM changed) AS change
  WHERE change.delta <> 0`
const setPrize = statement('set_prize_stock', settingOf('prize'))
const setListing = statement('set_listing_stock', settingOf('listing'))

/** Makes the stock of a prize or listing that stands locked what is asked for. */
export async function setStock(tx: Queryable, stock: NewStock): Promise<void> {
  const { kind, source, ...change } = stock
  const values = { ...change, sourceType: source.type, sourceId: source.id }
  await tx.run(kind === 'prize' ? setPrize : setListing, values)
}

/**
 * Takes stock of a limited listing, the last lock of a purchase. False when it is not on sale or
 * holds less.
 */
export const takeListingStock = existsQuery<
  [
    sold: {
      listingId: number
      /** 1 or more. */
      quantity: number
      purchaseId: number
      now: Date
    },
  ]
>(
  'take_listing_stock',
  `WITH listing AS (
    ${takeStock('listing', ':quantity::int')}, updated_at = :now
    WHERE id = :listingId AND is_active AND archived_at IS NULL AND NOT is_unlimited
      AND quantity_available >= :quantity::int
    RETURNING id, quantity_available
  ), history AS (
    ${addStockHistory}
    SELECT 'listing', id, -:quantity::int, quantity_available, 'purchase', :purchaseId::int::text,
      :now
    FROM listing
  )
  SELECT quantity_available FROM listing`,
)

const lockToGiveBack = statement(
  'lock_prize_to_give_back',
  'SELECT id FROM prizes WHERE id = $1 FOR NO KEY UPDATE',
)
const giveBack = statement(
  'give_back_prize_stock',
  `WITH prize AS (
    ${takeStock('prize', '(-1)')}, updated_at = $3
    WHERE id = $1 AND inventory_quantity IS NOT NULL AND EXISTS (
      SELECT FROM prize_claims c JOIN all_pack_openings o ON o.id = c.pack_opening_id
      WHERE c.id = $2::int AND o.stock_after IS NOT NULL)
    RETURNING id, inventory_quantity
  )
  ${addStockHistory}
  SELECT 'prize', id, 1, inventory_quantity, 'shipment', $2::int::text, $3 FROM prize
  RETURNING ref_id`,
)

/**
 * Gives a unit that was won back to the stock of a prize, once for each claim; the public log tells
 * it. False for a prize that is unlimited, or was when it was won: that win took no unit.
 */
export async function giveBackPrizeStock(
  tx: Queryable,
  won: { readonly prizeId: number; readonly claimRow: number; readonly now: Date },
): Promise<boolean> {
  // Also where it is unlimited, so that it stays so until the log's queue has the step.
  await tx.run(lockToGiveBack, [won.prizeId])
  return (await tx.run(giveBack, [won.prizeId, won.claimRow, won.now])).length > 0
}
