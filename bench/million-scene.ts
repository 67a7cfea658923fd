// A database as large as one asks for, written by sets: what is true of single draws is not kept,
// what sizes and spreads are like is.

import type { Database } from '../server/src/adapters/db/database.ts'

export interface MillionSize {
  readonly users: number
  /** Packs opened, two a request. */
  readonly openings: number
  /** Rows of the audit log. */
  readonly audits: number
}

/** A third of the people share one balance, as after a grant to everybody; a tenth has none. */
const balanceOf = `CASE n % 10 WHEN 0 THEN 0 WHEN 1 THEN 100 WHEN 2 THEN 100 WHEN 3 THEN 100
  ELSE (10 * exp((hashint4(n) & 1048575) / 1048576.0 * 9))::bigint END`

const syllables = `(ARRAY['ka','lo','mi','ren','tas','vu','zer','qui','bo','dan','el','fro','gri',
  'hex','ist','jun'])`
const nameOf = (salt: number) =>
  [0, 4, 8, 12]
    .map((shift) => `${syllables}[1 + ((hashint4(n + ${salt}) >> ${shift}) & 15)]`)
    .join(' || ')

const people = ({ users }: MillionSize) => `
  INSERT INTO users (id, twitch_id, username, display_name, email, red_coin_balance, role,
      is_hidden_from_leaderboard, created_at)
    SELECT n, 'm' || n, ${nameOf(0)} || n % 9973, initcap(${nameOf(7)}) || ' ' || n % 97,
      'mail' || n || '@example.org', ${balanceOf},
      CASE WHEN n <= 20 THEN 'admin' ELSE 'user' END, n % 200 = 7,
      now() - interval '700 days' * ((hashint4(n + 1) & 65535) / 65536.0)
    FROM generate_series(1, ${users}) n;
  INSERT INTO pack_types (id, name) SELECT n, 'Type ' || n FROM generate_series(1, 3) n;
  INSERT INTO user_packs (user_id, pack_type_id, quantity)
    SELECT n, 1 + n % 3, 1 + n % 9 FROM generate_series(1, ${users}) n;
  INSERT INTO prizes (id, name, win_frequency, total_packs, red_coin_amount)
    SELECT n, 'Prize ' || n, 5, 100, CASE WHEN n < 3 THEN 20 ELSE 0 END
    FROM generate_series(1, 5) n;
  INSERT INTO prize_pack_types (prize_id, pack_type_id) SELECT id, 1 FROM prizes;
  INSERT INTO odds_tables (id, pack_type_id, table_hash, body)
    SELECT n, n, repeat('a', 63) || n, '{"packTypeId":' || n
      || ',"consolationRedCoin":5,"entries":[]}' FROM generate_series(1, 3) n;
  INSERT INTO draw_chains (id, user_id, day, first_commitment, index, commitment, created_at,
      ended_at, end_seed)
    SELECT n, n, '2020-01-01', repeat('c', 64), 1, repeat('c', 64), now(), now(), repeat('b', 64)
    FROM generate_series(1, ${users}) n;`

/** The last tenth of the openings came in the last two days, the others in half a year. */
const timeOf = (requests: number) => `now() - CASE WHEN n > ${requests} * 0.9
  THEN interval '2 days' * (1 - (n - ${requests} * 0.9) / (${requests} * 0.1))
  ELSE interval '2 days' + interval '180 days' * (1 - n / (${requests} * 0.9)) END`

/** Request IDs as the server makes them: they begin with their time in milliseconds. */
const inOrderOf = (time: string) => `regexp_replace(
  lpad(to_hex((extract(epoch FROM ${time}) * 1000)::bigint), 12, '0') || '70008000'
    || lpad(to_hex(n), 12, '0'), '(.{8})(.{4})(.{4})(.{4})', '\\1-\\2-\\3-\\4-')::uuid`

/** Openings of all people with their claims and RedCoin, in odds tables of the same numbers. */
function openings({ users, openings: packs }: MillionSize): string {
  const requests = Math.ceil(packs / 2)
  const opened = `SELECT n, k, 2 * n - 1 + k AS id, request.id AS request, request.user_id,
      request.pack_type_id, request.created_at, (hashint4(2 * n + k) & 1023) AS roll
    FROM million_requests request, generate_series(0, 1) k`
  return `
  CREATE TABLE million_requests AS SELECT n, ${inOrderOf('created_at')} AS id, user_id,
      pack_type_id, created_at
    FROM (SELECT n, 1 + (hashint4(n + 5) & 2147483647) % ${users} AS user_id,
        1 + n % 3 AS pack_type_id, ${timeOf(requests)} AS created_at
      FROM generate_series(1, ${requests}) n) requests;
  INSERT INTO opening_requests (id, user_id, pack_type_id, chain_id, chain_index, server_seed,
      entropy, entropy_from, next_commitment, odds_table_id, quantity, consolation_red_coin,
      created_at)
    SELECT id, user_id, pack_type_id, user_id, n, repeat('b', 64), repeat('e', 64),
      'player', repeat('c', 64), pack_type_id, 2, 5, created_at
    FROM million_requests;
  CREATE TABLE million_openings AS SELECT *,
      CASE WHEN roll < 250 THEN 1 + roll / 50 END AS prize_id FROM (${opened}) o;
  INSERT INTO pack_openings (id, request_id, user_id, pack_type_id, prize_id, red_coin_earned,
      position, created_at)
    SELECT id, request, user_id, pack_type_id, prize_id, CASE WHEN prize_id IS NULL THEN 5
      WHEN prize_id < 3 THEN 20 ELSE 0 END, k, created_at
    FROM million_openings ORDER BY id;
  INSERT INTO prize_claims (user_id, prize_id, claim_id, status, pack_opening_id, prize_name,
      prize_description, red_coin_amount, pack_quantity, created_at, updated_at, deleted_at)
    SELECT user_id, prize_id, 'PR-' || upper(to_hex(hashint4(id::int)::bigint & 4294967295))
        || upper(to_hex(id)),
      CASE WHEN prize_id < 3 OR roll % 7 > 0 THEN 'completed' ELSE 'pending' END, id,
      'Prize ' || prize_id, '', CASE WHEN prize_id < 3 THEN 20 ELSE 0 END, 0, created_at, created_at,
      CASE WHEN roll % 50 = 49 THEN now() END
    FROM million_openings WHERE prize_id IS NOT NULL ORDER BY id;
  INSERT INTO shipments (id, state, deadline, updated_at)
    SELECT id, CASE status WHEN 'completed' THEN 'delivered'
        ELSE (ARRAY['address_wanted', 'ready', 'packed'])[1 + id % 3] END,
      created_at + interval '290 days', created_at
    FROM prize_claims WHERE red_coin_amount = 0;
  INSERT INTO red_coin_transactions (user_id, amount, type, prize_id, pack_opening_id,
      balance_after, source_type, source_id, created_at)
    SELECT user_id, CASE WHEN prize_id IS NULL THEN 5 ELSE 20 END,
      CASE WHEN prize_id IS NULL THEN 'pack_consolation' ELSE 'prize_win' END, prize_id, id, 100,
      'opening', id::text, created_at
    FROM million_openings o WHERE prize_id IS NULL OR prize_id < 3 ORDER BY o.id;
  DROP TABLE million_requests, million_openings;`
}

const audits = ({ users, audits: rows }: MillionSize) => `
  INSERT INTO audit_log (actor_id, action, target_type, target_id, reason, created_at)
    SELECT 1 + n % 20, (ARRAY['packs.granted', 'redcoin.granted', 'claim.updated',
        'user.blocked'])[1 + n % 4], CASE n % 4 WHEN 2 THEN 'claim' ELSE 'user' END,
      (1 + (hashint4(n) & 2147483647) % ${users})::text, 'Reason ' || n % 1009,
      now() - interval '300 days' * (1 - n / ${rows}::float)
    FROM generate_series(1, ${rows}) n;`

/** What triggers would have written, set by set. */
const besides = () => `
  INSERT INTO people_search (user_id, words, username, created_at, has_left)
    SELECT id, lower(concat_ws(E'\\n', username, display_name, email)), username, created_at, false
    FROM users ORDER BY id;
  INSERT INTO claim_state_changes (state, difference)
    SELECT CASE WHEN deleted_at IS NULL THEN status ELSE 'deleted' END, count(*)
    FROM prize_claims GROUP BY 1
    UNION ALL
    SELECT CASE WHEN red_coin_amount > 0 THEN 'completed' ELSE 'pending' END, -count(*)
    FROM prize_claims GROUP BY 1;`

/** Identity columns go on after the ids that were written. */
const restartSequences = `DO $$ DECLARE item record; BEGIN
  FOR item IN SELECT table_name AS t, column_name AS c FROM information_schema.columns
    WHERE table_schema = 'public' AND is_identity = 'YES'
  LOOP
    EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, %L),
      (SELECT coalesce(max(%I), 0) + 1 FROM %I), false)', item.t, item.c, item.c, item.t);
  END LOOP;
END $$`

/** Fills a migrated, empty database; counters find out what they have to count by themselves. */
export async function writeMillion(
  db: Database,
  size: MillionSize,
  say: (text: string) => void,
): Promise<void> {
  const parts = { people, openings, audits, besides }
  for (const [name, part] of Object.entries(parts)) {
    await db.script(`SET session_replication_role = replica; ${part(size)}`)
    say(`${name} written`)
  }
  await db.script(`SET session_replication_role = origin; ${restartSequences}`)
}
