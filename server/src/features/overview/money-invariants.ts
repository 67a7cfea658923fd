// Invariants of RedCoin, purchases, rewards and people.

import type { Invariant } from './invariant.ts'

export const moneyInvariants: readonly Invariant[] = [
  {
    id: 'I1',
    title: 'every balance is the sum of its ledger',
    sql: `SELECT u.id AS user_id, u.red_coin_balance AS balance, coalesce(l.total, 0) AS ledger
      FROM users u
      LEFT JOIN (SELECT user_id, sum(amount) AS total FROM red_coin_transactions GROUP BY 1) l
        ON l.user_id = u.id
      WHERE u.red_coin_balance <> coalesce(l.total, 0)`,
  },
  {
    id: 'I2',
    title: 'every balance lies between 0 and 2^53-1',
    sql: `SELECT id AS user_id, red_coin_balance FROM users
      WHERE red_coin_balance < 0 OR red_coin_balance > 9007199254740991`,
  },
  {
    id: 'I3',
    title: 'every ledger row carries the balance it left, never below 0',
    sql: `SELECT id AS transaction_id, user_id, balance_after, running FROM (
        SELECT id, user_id, balance_after,
          sum(amount) OVER (PARTITION BY user_id ORDER BY id) AS running
        FROM red_coin_transactions) x
      WHERE balance_after <> running OR running < 0`,
  },
  {
    id: 'I8',
    title: 'every opening request paid in the ledger what its packs earned, for all of its packs',
    sql: `SELECT r.id AS request_id, r.quantity, o.packs, o.earned, l.paid
      FROM opening_requests r
      LEFT JOIN (SELECT request_id, count(*) AS packs, sum(red_coin_earned) AS earned
        FROM all_pack_openings GROUP BY 1) o ON o.request_id = r.id
      LEFT JOIN (SELECT coalesce(o.request_id::text, t.source_id) AS request_id,
          sum(t.amount) AS paid
        FROM red_coin_transactions t
        LEFT JOIN all_pack_openings o ON o.id = t.pack_opening_id
        WHERE t.type IN ('prize_win', 'pack_consolation') GROUP BY 1) l
        ON l.request_id = r.id::text
      WHERE coalesce(o.packs, 0) <> r.quantity OR coalesce(o.earned, 0) <> coalesce(l.paid, 0)`,
  },
  {
    id: 'I13',
    title: 'every purchase has one debit, one credit of packs and the right price',
    sql: `SELECT p.id AS purchase_id
      FROM store_purchases p
      LEFT JOIN red_coin_transactions r
        ON r.source_type = 'purchase' AND r.source_id = p.id::text AND r.user_id = p.user_id
      LEFT JOIN pack_transactions t
        ON t.source_type = 'purchase' AND t.source_id = p.id::text AND t.user_id = p.user_id
      GROUP BY p.id
      HAVING count(r.id) <> 1 OR count(t.id) <> 1 OR sum(r.amount) <> -p.red_coin_cost
        OR sum(t.delta) <> p.quantity OR p.red_coin_cost <> p.quantity * p.unit_price`,
  },
  {
    id: 'I14',
    title: 'every source stands in the ledger once per user',
    sql: `SELECT source_type, source_id, user_id FROM red_coin_transactions
      GROUP BY 1, 2, 3 HAVING count(*) > 1`,
  },
  {
    id: 'I15',
    title: 'one completion per user, stream and broadcast, after the required time',
    sql: `SELECT user_id, stream_id, stream_session_id FROM watch_completions
      GROUP BY 1, 2, 3 HAVING count(*) > 1 OR bool_or(watch_time_completed < required)`,
  },
  {
    id: 'I16',
    title: 'no watch session credits more than the clock allows, plus a minute',
    sql: `SELECT id AS session_id, total_watch_time FROM viewer_sessions
      WHERE total_watch_time > extract(epoch FROM last_active_at - started_at) + 60`,
  },
  {
    id: 'I17',
    title: 'a chat reward is paid once per message, user and chat account',
    sql: `SELECT message_id, min(user_id) AS user_id FROM discord_reward_claims
      GROUP BY message_id, user_id HAVING count(*) > 1
      UNION ALL
      SELECT message_id, min(user_id) FROM discord_reward_claims
      WHERE discord_user_id IS NOT NULL
      GROUP BY message_id, discord_user_id HAVING count(*) > 1`,
  },
  {
    id: 'I18',
    title: 'no idempotency key is stuck without an answer',
    sql: `SELECT user_id, route, key FROM idempotency_keys
      WHERE status IS NULL AND created_at < now() - interval '5 minutes'`,
  },
  {
    id: 'I21',
    title: 'roles are legal and at most one account is protected, a super_user',
    sql: `SELECT id AS user_id, role, is_protected FROM users
      WHERE role NOT IN ('user', 'admin', 'super_user')
        OR (is_protected AND role <> 'super_user')
        OR (is_protected AND (SELECT count(*) FROM users WHERE is_protected) > 1)`,
  },
  {
    id: 'I22',
    title: 'the total a user won is the sum of the prize and consolation rows',
    sql: `SELECT u.id AS user_id, u.total_red_coin_won, coalesce(l.total, 0) AS ledger
      FROM users u
      LEFT JOIN (SELECT user_id, sum(amount) AS total FROM red_coin_transactions
        WHERE type IN ('prize_win', 'pack_consolation') GROUP BY 1) l ON l.user_id = u.id
      WHERE u.total_red_coin_won <> coalesce(l.total, 0)`,
  },
  {
    id: 'I28',
    title: 'every bulk batch booked what its receipt says, for the same people',
    sql: `SELECT coalesce(r.batch_id::text, l.batch_id) AS batch_id,
        coalesce(r.user_id, l.user_id) AS user_id, r.applied, l.booked
      FROM (SELECT w.batch_id, w.user_id, b.kind, b.pack_type_id, sum(w.applied) AS applied
        FROM bulk_batch_rows w JOIN bulk_batches b ON b.id = w.batch_id
        WHERE w.applied <> 0 GROUP BY 1, 2, 3, 4) r
      FULL JOIN (SELECT source_id AS batch_id, user_id, 'redcoin' AS kind, NULL::int AS pack_type_id,
          amount AS booked FROM red_coin_transactions
        WHERE source_type = 'grant' AND source_id IN (SELECT id::text FROM bulk_batches)
        UNION ALL SELECT source_id, user_id, 'packs', pack_type_id, delta FROM pack_transactions
        WHERE source_type = 'grant' AND source_id IN (SELECT id::text FROM bulk_batches)) l
        ON l.batch_id = r.batch_id::text AND l.user_id = r.user_id AND l.kind = r.kind
          AND l.pack_type_id IS NOT DISTINCT FROM r.pack_type_id
      WHERE coalesce(r.applied, 0) <> coalesce(l.booked, 0)`,
  },
  {
    id: 'I29',
    title: 'bulk batches add up, and a reversal takes at most what was given',
    sql: `SELECT b.id AS batch_id, b.total FROM bulk_batches b
      LEFT JOIN bulk_batch_rows r ON r.batch_id = b.id
      GROUP BY b.id HAVING coalesce(sum(r.applied), 0) <> b.total
        OR count(*) FILTER (WHERE r.verdict = 'ok') <> b.processed_count
        OR count(*) FILTER (WHERE r.verdict <> 'ok') <> b.failed_count
      UNION ALL
      SELECT b.id, t.applied FROM bulk_batches b
      JOIN bulk_batch_rows t ON t.batch_id = b.id
      LEFT JOIN bulk_batch_rows g ON g.batch_id = b.reverses AND g.row_number = t.row_number
        AND g.user_id = t.user_id
      WHERE b.reverses IS NOT NULL AND (t.applied > 0 OR -t.applied > coalesce(g.applied, 0))`,
  },
]
