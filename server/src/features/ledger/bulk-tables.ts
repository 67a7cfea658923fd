// Changes of many balances or holdings at once, set by set, with locks taken in id order.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { PackType, RedCoinType } from './ledger-tables.ts'
import {
  addPackHistory,
  addRedCoinHistory,
  addToHoldings,
  moveBalances,
  moveHoldings,
} from './value-sql.ts'

/** What the history says of a change of many; the source occurs once per user. */
export interface ManyReason {
  /** Of the rows that give. */
  readonly gain: RedCoinType & PackType
  /** Of the rows that take. */
  readonly loss: RedCoinType & PackType
  readonly description: string
  readonly sourceType: string
  readonly sourceId: string
  readonly now: Date
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

/** What every statement here takes, and nothing else of the object. */
function reasonOf(reason: ManyReason) {
  const { gain, loss, description, sourceType, sourceId, now } = reason
  return { gain, loss, description, sourceType, sourceId, now }
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
  const { userIds, amounts } = changes
  await tx.run(lockPeople, [userIds])
  return tx.run<Changed>(changeMany, { ...reasonOf(changes), userIds, amounts })
}

/** Takes every balance to 0 and answers what was taken from whom. */
export async function takeAllBalances(tx: Queryable, reason: ManyReason): Promise<Changed[]> {
  await tx.run(lockEveryone, [])
  return tx.run<Changed>(takeAllRedCoin, reasonOf(reason))
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
  const { userIds, amounts } = changes
  await tx.run(lockPeople, [userIds])
  return tx.run<Changed>(changePacks, { ...reasonOf(changes), userIds, amounts, packTypeId })
}

/** Takes every holding to 0 and answers what was taken from whom, a row per user and pack type. */
export async function takeAllHoldings(tx: Queryable, reason: ManyReason): Promise<Changed[]> {
  await tx.run(lockEveryone, [])
  return tx.run<Changed>(takeAllPacks, reasonOf(reason))
}
