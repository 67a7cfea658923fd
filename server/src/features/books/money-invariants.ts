// Invariants of RedCoin, purchases, rewards, people, and bulk grants with their reversals.

import type { Invariant } from './invariant.ts'
import { keys, uuidOf } from './keys.ts'
import { ranged, rangedBy, type Within } from './ranges.ts'

/** The ledger of the users of a range. */
const ledgerSum = (
  within: Within,
  where = '',
) => `SELECT user_id, sum(amount) AS total FROM red_coin_transactions
  WHERE ${within('user_id')} ${where} GROUP BY 1`

const numberSource = "CASE WHEN t.source_id ~ '^[1-9][0-9]{0,17}$' THEN t.source_id::bigint END"

/** That a row of a history has a source of this kind, of the same user. */
const hasSource = (kind: string, table: string, key = `s.id = ${numberSource}`) =>
  `t.source_type = '${kind}' AND EXISTS (SELECT FROM ${table} s
            WHERE ${key} AND s.user_id = t.user_id)`

export const moneyInvariants: readonly Invariant[] = [
  rangedBy(
    'I1',
    'every balance is the sum of its ledger',
    keys.users,
    (
      within,
    ) => `SELECT u.id AS user_id, u.red_coin_balance AS balance, coalesce(l.total, 0) AS ledger
       FROM users u LEFT JOIN (${ledgerSum(within)}) l ON l.user_id = u.id
       WHERE ${within('u.id')} AND u.red_coin_balance <> coalesce(l.total, 0)`,
  ),
  rangedBy(
    'I2',
    'every balance lies between 0 and 2^53-1',
    keys.users,
    (within) => `SELECT id AS user_id, red_coin_balance FROM users WHERE ${within('id')}
         AND (red_coin_balance < 0 OR red_coin_balance > 9007199254740991)`,
  ),
  rangedBy(
    'I3',
    'every ledger row carries the balance it left, never below 0',
    keys.users,
    (within) => `SELECT id AS transaction_id, user_id, balance_after, running FROM (
         SELECT id, user_id, balance_after,
           sum(amount) OVER (PARTITION BY user_id ORDER BY id) AS running
         FROM red_coin_transactions WHERE ${within('user_id')}) x
       WHERE balance_after <> running OR running < 0`,
  ),
  ranged(
    'I8',
    'every opening request paid in the ledger what its packs earned, for all of its packs',
    [
      {
        name: 'requests',
        keys: keys.requests,
        // Sources are looked up one by one: their key begins with the kind, so that no range of
        // requests is a range of sources.
        sql: (within) => `SELECT r.id AS request_id, r.quantity, o.packs, o.earned,
          coalesce(o.paid, 0) + coalesce(l.paid, 0) AS paid
        FROM opening_requests r
        LEFT JOIN (SELECT o.request_id, count(*) AS packs, sum(o.red_coin_earned) AS earned,
            sum(CASE WHEN o.prize_id IS NOT NULL AND o.red_coin_earned > 0 THEN (
              SELECT sum(t.amount) FROM red_coin_transactions t
              WHERE t.source_type = 'opening' AND t.source_id = o.id::text
                AND t.user_id = o.user_id AND t.type IN ('prize_win', 'pack_consolation')) END)
              AS paid
          FROM all_pack_openings o WHERE ${within('o.request_id')} GROUP BY 1) o
          ON o.request_id = r.id
        LEFT JOIN LATERAL (SELECT sum(t.amount) AS paid FROM red_coin_transactions t
          WHERE t.source_type = 'opening_request' AND t.source_id = r.id::text
            AND t.user_id = r.user_id AND t.type IN ('prize_win', 'pack_consolation')) l ON true
        WHERE ${within('r.id')} AND (coalesce(o.packs, 0) <> r.quantity
          OR coalesce(o.earned, 0) <> coalesce(o.paid, 0) + coalesce(l.paid, 0))`,
      },
      {
        // What the look-ups above would not find: wins in the ledger that nothing earned.
        name: 'ledger',
        keys: keys.ledger,
        sql: (within) => `SELECT t.id AS transaction_id, t.source_type, t.source_id
        FROM red_coin_transactions t
        WHERE ${within('t.id')} AND t.type IN ('prize_win', 'pack_consolation')
          AND CASE t.source_type
            WHEN 'opening' THEN t.pack_opening_id::text IS DISTINCT FROM t.source_id OR NOT EXISTS (
              SELECT FROM all_pack_openings o WHERE o.id = t.pack_opening_id
                AND o.user_id = t.user_id AND o.prize_id IS NOT NULL AND o.red_coin_earned > 0)
            WHEN 'opening_request' THEN NOT EXISTS (
              SELECT FROM opening_requests r WHERE r.user_id = t.user_id
                AND r.id = ${uuidOf('t.source_id')})
            ELSE true END`,
      },
    ],
  ),
  rangedBy(
    'I13',
    'every purchase has one debit, one credit of packs and the right price',
    keys.purchases,
    (within) => `SELECT p.id AS purchase_id FROM store_purchases p
       LEFT JOIN LATERAL (SELECT count(*) AS rows, sum(r.amount) AS amount
         FROM red_coin_transactions r WHERE r.source_type = 'purchase'
           AND r.source_id = p.id::text AND r.user_id = p.user_id) r ON true
       LEFT JOIN LATERAL (SELECT count(*) AS rows, sum(t.delta) AS packs
         FROM pack_transactions t WHERE t.source_type = 'purchase'
           AND t.source_id = p.id::text AND t.user_id = p.user_id) t ON true
       WHERE ${within('p.id')} AND (r.rows <> 1 OR t.rows <> 1
         OR r.amount <> -p.red_coin_cost OR t.packs <> p.quantity
         OR p.red_coin_cost <> p.quantity * p.unit_price)`,
  ),
  ranged('I14', 'purchases and rewards have their source, and every source pays a user once', [
    {
      name: 'users',
      keys: keys.users,
      sql: (within) => `SELECT source_type, source_id, user_id FROM red_coin_transactions
        WHERE ${within('user_id')} GROUP BY 1, 2, 3 HAVING count(*) > 1`,
    },
    {
      name: 'ledger',
      keys: keys.ledger,
      sql: (within) => `SELECT t.id AS transaction_id, t.type FROM red_coin_transactions t
        WHERE ${within('t.id')} AND NOT CASE t.type
          WHEN 'store_purchase' THEN ${hasSource('purchase', 'store_purchases')}
          WHEN 'watch_reward' THEN ${hasSource('watch_completion', 'watch_completions')}
          WHEN 'discord_reward' THEN ${hasSource(
            'discord_message',
            'discord_reward_claims',
            's.message_id = t.source_id',
          )}
          ELSE true END`,
    },
    {
      name: 'packs',
      keys: keys.packHistory,
      sql: (within) => `SELECT t.id AS pack_transaction_id, t.type FROM pack_transactions t
        WHERE ${within('t.id')} AND NOT CASE t.type
          WHEN 'purchase' THEN ${hasSource('purchase', 'store_purchases')}
          WHEN 'watch_reward' THEN ${hasSource('watch_completion', 'watch_completions')}
          WHEN 'prize_reward' THEN ${hasSource(
            'opening_request',
            'opening_requests',
            `s.id = ${uuidOf('t.source_id')}`,
          )}
          ELSE true END`,
    },
  ]),
  rangedBy(
    'I15',
    'one completion per user, stream and broadcast, after the required time, paid as it says',
    keys.completions,
    // What is given without a pack type has no packs.
    (within) => `SELECT c.user_id, c.stream_id, c.stream_session_id FROM watch_completions c
       WHERE ${within('c.id')} AND (c.watch_time_completed < c.required
         OR EXISTS (SELECT FROM watch_completions d WHERE d.user_id = c.user_id
           AND d.stream_id = c.stream_id AND d.stream_session_id = c.stream_session_id
           AND d.id <> c.id)
         OR EXISTS (SELECT FROM (
           SELECT v.* FROM jsonb_to_recordset(c.rewards_given)
             AS g ("packTypeId" int, "packQuantity" bigint, "redCoinAmount" bigint),
             LATERAL (VALUES (NULL, "redCoinAmount"), ("packTypeId", "packQuantity"))
             AS v (pack_type_id, amount)
           UNION ALL
           SELECT NULL, -t.amount FROM red_coin_transactions t
           WHERE t.source_type = 'watch_completion' AND t.source_id = c.id::text
             AND t.user_id = c.user_id
           UNION ALL
           SELECT t.pack_type_id, -t.delta FROM pack_transactions t
           WHERE t.source_type = 'watch_completion' AND t.source_id = c.id::text
             AND t.user_id = c.user_id) x
         GROUP BY pack_type_id HAVING sum(amount) <> 0))`,
  ),
  rangedBy(
    'I16',
    'no watch session credits more than the clock allows, plus a minute',
    keys.watchSessions,
    (within) => `SELECT id AS session_id, total_watch_time FROM viewer_sessions
       WHERE ${within('id')}
         AND total_watch_time > extract(epoch FROM last_active_at - started_at) + 60`,
  ),
  rangedBy(
    'I17',
    'a chat reward is paid as it says, once per message, user and chat account',
    keys.chatRewards,
    (within) => `SELECT c.message_id, c.user_id FROM discord_reward_claims c
       WHERE ${within('c.id')} AND (
         EXISTS (SELECT FROM discord_reward_claims d WHERE d.message_id = c.message_id
           AND d.user_id = c.user_id AND d.id <> c.id)
         OR EXISTS (SELECT FROM discord_reward_claims d WHERE d.message_id = c.message_id
           AND d.discord_user_id = c.discord_user_id AND d.id <> c.id)
         OR c.red_coin_amount <> coalesce((SELECT sum(t.amount) FROM red_coin_transactions t
           WHERE t.source_type = 'discord_message' AND t.source_id = c.message_id
             AND t.user_id = c.user_id), 0))`,
  ),
  rangedBy(
    'I18',
    'no idempotency key is stuck without an answer',
    keys.users,
    (within) => `SELECT user_id, route, key FROM idempotency_keys WHERE ${within('user_id')}
         AND status IS NULL AND created_at < now() - interval '5 minutes'`,
  ),
  rangedBy(
    'I21',
    'roles are legal and at most one account is protected, a super_user',
    keys.users,
    (within) => `SELECT id AS user_id, role, is_protected FROM users WHERE ${within('id')}
         AND (role NOT IN ('user', 'admin', 'super_user')
           OR (is_protected AND role <> 'super_user')
           OR (is_protected AND (SELECT count(*) FROM users WHERE is_protected) > 1))`,
  ),
  rangedBy(
    'I22',
    'the total a user won is the sum of the prize and consolation rows',
    keys.users,
    (within) => `SELECT u.id AS user_id, u.total_red_coin_won, coalesce(l.total, 0) AS ledger
       FROM users u
       LEFT JOIN (${ledgerSum(within, "AND type IN ('prize_win', 'pack_consolation')")}) l
         ON l.user_id = u.id
       WHERE ${within('u.id')} AND u.total_red_coin_won <> coalesce(l.total, 0)`,
  ),
]

/** What a history has booked for the batches of a range. */
const booked = (
  within: Within,
  table: string,
  columns: string,
) => `SELECT b.id AS batch_id, t.user_id, ${columns}
  FROM bulk_batches b
  CROSS JOIN LATERAL (SELECT * FROM ${table} h
    WHERE h.source_type = 'grant' AND h.source_id = b.id::text OFFSET 0) t
  WHERE ${within('b.id')}`

export const batchInvariants: readonly Invariant[] = [
  rangedBy(
    'I28',
    'every bulk batch booked what its receipt says, for the same people',
    keys.batches,
    (within) => `SELECT coalesce(r.batch_id, l.batch_id) AS batch_id,
         coalesce(r.user_id, l.user_id) AS user_id, r.applied, l.booked
       FROM (SELECT w.batch_id, w.user_id, b.kind, b.pack_type_id, sum(w.applied) AS applied
         FROM bulk_batch_rows w JOIN bulk_batches b ON b.id = w.batch_id
         WHERE ${within('w.batch_id')} AND w.applied <> 0 GROUP BY 1, 2, 3, 4) r
       FULL JOIN (
         ${booked(within, 'red_coin_transactions', "'redcoin' AS kind, NULL::int AS pack_type_id, amount AS booked")}
         UNION ALL
         ${booked(within, 'pack_transactions', "'packs', t.pack_type_id, delta")}) l
         ON l.batch_id = r.batch_id AND l.user_id = r.user_id AND l.kind = r.kind
           AND l.pack_type_id IS NOT DISTINCT FROM r.pack_type_id
       WHERE coalesce(r.applied, 0) <> coalesce(l.booked, 0)`,
  ),
  ranged('I29', 'bulk batches add up, and a reversal takes at most what was given', [
    {
      name: 'sums',
      keys: keys.batches,
      sql: (within) => `SELECT b.id AS batch_id, b.total FROM bulk_batches b
        LEFT JOIN bulk_batch_rows r ON r.batch_id = b.id
        WHERE ${within('b.id')}
        GROUP BY b.id HAVING coalesce(sum(r.applied), 0) <> b.total
          OR count(*) FILTER (WHERE r.verdict = 'ok') <> b.processed_count
          OR count(*) FILTER (WHERE r.verdict <> 'ok') <> b.failed_count`,
    },
    {
      name: 'reversals',
      keys: keys.batches,
      sql: (within) => `SELECT b.id AS batch_id, t.applied FROM bulk_batches b
        JOIN bulk_batch_rows t ON t.batch_id = b.id
        LEFT JOIN bulk_batch_rows g ON g.batch_id = b.reverses AND g.row_number = t.row_number
          AND g.user_id = t.user_id
        WHERE ${within('b.id')} AND b.reverses IS NOT NULL
          AND (t.applied > 0 OR -t.applied > coalesce(g.applied, 0))`,
    },
  ]),
]
