// Set-based changes of many balances or holdings at once, with locks taken in id order.

import { type Queryable, statement } from '../../adapters/db/database.ts'

/** One signed change per user; a negative one takes at most what is there. */
export interface BatchChange {
  readonly userIds: readonly number[]
  readonly amounts: readonly number[]
  readonly batchId: string
  readonly description: string
  readonly now: Date
}

export interface Changed {
  readonly userId: number
  /** What really changed, signed; 0 when there was nothing to take. */
  readonly delta: number
  /** Balance or quantity afterwards. */
  readonly after: number
}

const statementMillisMax = 120_000

/** Lets the statements of this transaction run for two minutes: a batch may reach every user. */
export async function allowLongBatch(tx: Queryable): Promise<void> {
  await tx.allow(statementMillisMax)
}

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

const changeRedCoin = statement(
  'change_redcoin_of_many',
  `WITH target AS MATERIALIZED (
    SELECT u.id, greatest(w.amount, -u.red_coin_balance) AS delta, u.red_coin_balance AS balance
    FROM unnest($1::int[], $2::bigint[]) AS w (user_id, amount)
    JOIN users u ON u.id = w.user_id AND u.deleted_at IS NULL
    ORDER BY u.id
    FOR NO KEY UPDATE OF u
  ), changed AS (
    UPDATE users SET red_coin_balance = target.balance + target.delta, updated_at = $5
    FROM target WHERE users.id = target.id AND target.delta <> 0
  ), history AS (
    INSERT INTO red_coin_transactions (user_id, amount, type, description, balance_after,
      source_type, source_id, created_at)
    SELECT id, delta, CASE WHEN delta > 0 THEN 'admin_grant' ELSE 'admin_removal' END, $4,
      balance + delta, 'grant', $3, $5
    FROM target WHERE delta <> 0 ORDER BY id
  )
  SELECT id AS "userId", delta, balance + delta AS after FROM target`,
)

/** Changes balances. @throws a check violation when one would grow beyond 2^53-1 */
export async function changeRedCoinOfMany(tx: Queryable, change: BatchChange): Promise<Changed[]> {
  const { userIds, amounts, batchId, description, now } = change
  await tx.run(lockPeople, [userIds])
  return tx.run<Changed>(changeRedCoin, [userIds, amounts, batchId, description, now])
}

const changePacks = statement(
  'change_packs_of_many',
  `WITH person AS MATERIALIZED (
    SELECT u.id, w.amount FROM unnest($1::int[], $2::int[]) AS w (user_id, amount)
    JOIN users u ON u.id = w.user_id AND u.deleted_at IS NULL
    ORDER BY u.id
    FOR NO KEY UPDATE OF u
  ), held AS MATERIALIZED (
    SELECT h.user_id, h.quantity FROM person
    JOIN user_packs h ON h.user_id = person.id AND h.pack_type_id = $6
    ORDER BY h.user_id
    FOR NO KEY UPDATE OF h
  ), target AS MATERIALIZED (
    SELECT person.id, coalesce(held.quantity, 0) AS quantity,
      greatest(person.amount, -coalesce(held.quantity, 0)) AS delta
    FROM person LEFT JOIN held ON held.user_id = person.id
  ), gained AS (
    INSERT INTO user_packs (user_id, pack_type_id, quantity, updated_at)
    SELECT id, $6, delta, $5 FROM target WHERE delta > 0 ORDER BY id
    ON CONFLICT (user_id, pack_type_id)
      DO UPDATE SET quantity = user_packs.quantity + EXCLUDED.quantity, updated_at = $5
    RETURNING user_id, quantity
  ), lost AS (
    UPDATE user_packs SET quantity = user_packs.quantity + target.delta, updated_at = $5
    FROM target
    WHERE user_packs.user_id = target.id AND user_packs.pack_type_id = $6 AND target.delta < 0
    RETURNING user_packs.user_id, user_packs.quantity
  ), done AS (
    SELECT target.id, target.delta, coalesce(now_held.quantity, target.quantity) AS after
    FROM target
    LEFT JOIN (SELECT * FROM gained UNION ALL SELECT * FROM lost) AS now_held
      ON now_held.user_id = target.id
  ), history AS (
    INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type, description,
      source_type, source_id, created_at)
    SELECT id, $6, delta, after,
      CASE WHEN delta > 0 THEN 'admin_grant' ELSE 'admin_removal' END, $4, 'grant', $3, $5
    FROM done WHERE delta <> 0 ORDER BY id
  )
  SELECT id AS "userId", delta, after FROM done`,
)

/** Changes holdings of one pack type. @throws a range error when one would grow beyond 2^31-1 */
export async function changePacksOfMany(
  tx: Queryable,
  packTypeId: number,
  change: BatchChange,
): Promise<Changed[]> {
  const { userIds, amounts, batchId, description, now } = change
  await tx.run(lockPeople, [userIds])
  return tx.run<Changed>(changePacks, [userIds, amounts, batchId, description, now, packTypeId])
}

const takeAllRedCoin = statement(
  'take_all_redcoin',
  `WITH target AS MATERIALIZED (
    SELECT id, red_coin_balance AS balance FROM users WHERE red_coin_balance > 0
    ORDER BY id FOR NO KEY UPDATE
  ), changed AS (
    UPDATE users SET red_coin_balance = 0, updated_at = $3 FROM target WHERE users.id = target.id
  ), history AS (
    INSERT INTO red_coin_transactions (user_id, amount, type, description, balance_after,
      source_type, source_id, created_at)
    SELECT id, -balance, 'admin_removal', $2, 0, 'grant', $1, $3 FROM target
    WHERE balance > 0 ORDER BY id
  )
  SELECT id AS "userId", -balance AS delta, 0 AS after FROM target WHERE balance > 0`,
)

/** Takes every balance to 0 and answers what was taken from whom. */
export async function takeRedCoinOfAll(
  tx: Queryable,
  batchId: string,
  description: string,
  now: Date,
): Promise<Changed[]> {
  await tx.run(lockEveryone, [])
  return tx.run<Changed>(takeAllRedCoin, [batchId, description, now])
}

const takeAllPacks = statement(
  'take_all_packs',
  `WITH person AS MATERIALIZED (
    SELECT id FROM users u
    WHERE EXISTS (SELECT FROM user_packs h WHERE h.user_id = u.id AND h.quantity > 0)
    ORDER BY id FOR NO KEY UPDATE
  ), target AS MATERIALIZED (
    SELECT h.id, h.user_id, h.pack_type_id, h.quantity FROM person
    JOIN user_packs h ON h.user_id = person.id
    ORDER BY h.user_id, h.pack_type_id FOR NO KEY UPDATE OF h
  ), changed AS (
    UPDATE user_packs SET quantity = 0, updated_at = $3 FROM target
    WHERE user_packs.id = target.id AND target.quantity > 0
  ), history AS (
    INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type, description,
      source_type, source_id, created_at)
    SELECT user_id, pack_type_id, -quantity, 0, 'admin_removal', $2, 'grant', $1, $3 FROM target
    WHERE quantity > 0 ORDER BY user_id, pack_type_id
  )
  SELECT user_id AS "userId", -quantity AS delta, 0 AS after FROM target WHERE quantity > 0`,
)

/** Takes every holding to 0 and answers what was taken from whom, a row per user and pack type. */
export async function takePacksOfAll(
  tx: Queryable,
  batchId: string,
  description: string,
  now: Date,
): Promise<Changed[]> {
  await tx.run(lockEveryone, [])
  return tx.run<Changed>(takeAllPacks, [batchId, description, now])
}

const findById = statement(
  'find_recipient_by_id',
  'SELECT id, username FROM users WHERE id = $1 AND deleted_at IS NULL',
)
const findByNames = statement(
  'find_recipients_by_name',
  'SELECT id, username FROM users WHERE username = ANY($1::text[]) AND deleted_at IS NULL',
)
const findAll = statement(
  'find_all_recipients',
  'SELECT id, username FROM users WHERE NOT is_protected AND deleted_at IS NULL ORDER BY id',
)
const grantable = 'SELECT name FROM pack_types WHERE id = $1 AND archived_at IS NULL'
const findPackType = statement('find_pack_type_to_grant', grantable)
const holdPackType = statement('hold_pack_type_to_grant', `${grantable} FOR KEY SHARE`)

export interface Recipient {
  readonly id: number
  readonly username: string
}

export async function recipientById(tx: Queryable, userId: number): Promise<Recipient | undefined> {
  return (await tx.run<Recipient>(findById, [userId]))[0]
}

/** Users whose username matches exactly; a name that several users carry is there several times. */
export function recipientsByName(tx: Queryable, names: readonly string[]): Promise<Recipient[]> {
  return tx.run<Recipient>(findByNames, [names])
}

/** Every user but the protected account. */
export function allRecipients(tx: Queryable): Promise<Recipient[]> {
  return tx.run<Recipient>(findAll, [])
}

/**
 * Name of a pack type that can be granted, or undefined. With `hold` it is not deleted before the
 * transaction ends, so nobody is left with packs that cannot be seen.
 */
export async function packTypeName(
  tx: Queryable,
  packTypeId: number,
  hold: boolean,
): Promise<string | undefined> {
  const rows = await tx.run<{ name: string }>(hold ? holdPackType : findPackType, [packTypeId])
  return rows[0]?.name
}
