// Invariants of holdings, openings, claims, stock and the material of draws.

import type { Invariant } from './invariant.ts'

export const packInvariants: readonly Invariant[] = [
  {
    id: 'I4',
    title: 'every holding is the sum of its history',
    sql: `SELECT coalesce(h.user_id, l.user_id) AS user_id,
        coalesce(h.pack_type_id, l.pack_type_id) AS pack_type_id, h.quantity, l.total
      FROM user_packs h
      FULL JOIN (SELECT user_id, pack_type_id, sum(delta) AS total
        FROM pack_transactions GROUP BY 1, 2) l
        ON l.user_id = h.user_id AND l.pack_type_id = h.pack_type_id
      WHERE coalesce(h.quantity, 0) <> coalesce(l.total, 0)`,
  },
  {
    id: 'I5',
    title: 'one holding per user and pack type, never below 0',
    sql: `SELECT user_id, pack_type_id FROM user_packs
      GROUP BY 1, 2 HAVING count(*) > 1 OR min(quantity) < 0`,
  },
  {
    id: 'I6',
    title: 'as many packs were opened as were taken for opening',
    sql: `SELECT coalesce(o.user_id, t.user_id) AS user_id,
        coalesce(o.pack_type_id, t.pack_type_id) AS pack_type_id, o.opened, t.taken
      FROM (SELECT user_id, pack_type_id, count(*) AS opened FROM all_pack_openings GROUP BY 1, 2) o
      FULL JOIN (SELECT user_id, pack_type_id, -sum(delta) AS taken FROM pack_transactions
        WHERE type = 'open' GROUP BY 1, 2) t
        ON t.user_id = o.user_id AND t.pack_type_id = o.pack_type_id
      WHERE coalesce(o.opened, 0) <> coalesce(t.taken, 0)`,
  },
  {
    id: 'I7',
    title: 'every win has exactly one claim, for the same prize and user',
    sql: `SELECT o.id AS opening_id FROM all_pack_openings o
      LEFT JOIN prize_claims c ON c.pack_opening_id = o.id
      WHERE o.prize_id IS NOT NULL
      GROUP BY o.id, o.prize_id, o.user_id
      HAVING count(c.id) <> 1 OR min(c.prize_id) <> o.prize_id OR min(c.user_id) <> o.user_id`,
  },
  {
    id: 'I9',
    title: 'every claim of an opening has a Claim ID of its own',
    sql: `SELECT min(id) AS claim FROM prize_claims WHERE pack_opening_id IS NOT NULL
      GROUP BY claim_id HAVING count(*) > 1 OR claim_id IS NULL`,
  },
  {
    id: 'I10',
    title: 'the stock of every limited prize is the sum of its events',
    sql: `SELECT p.id AS prize_id, p.inventory_quantity, coalesce(s.total, 0) AS events
      FROM prizes p
      LEFT JOIN (SELECT ref_id, sum(delta) AS total FROM stock_events WHERE kind = 'prize'
        GROUP BY 1) s ON s.ref_id = p.id
      WHERE p.inventory_quantity IS NOT NULL
        AND (p.inventory_quantity <> coalesce(s.total, 0) OR p.inventory_quantity < 0)`,
  },
  {
    id: 'I11',
    title: 'stock was never below 0, and every unit that left for a claim was won in an opening',
    sql: `SELECT id AS stock_event_id, kind, ref_id FROM (
        SELECT id, kind, ref_id, sum(delta) OVER (PARTITION BY kind, ref_id ORDER BY id) AS running
        FROM stock_events) x WHERE running < 0
      UNION ALL
      SELECT e.id, e.kind, e.ref_id FROM stock_events e
      LEFT JOIN (SELECT request_id, prize_id, count(*) AS wins FROM all_pack_openings
        WHERE prize_id IS NOT NULL GROUP BY 1, 2) o
        ON o.request_id::text = e.source_id AND o.prize_id = e.ref_id
      WHERE e.kind = 'prize' AND e.source_type = 'claim' AND coalesce(o.wins, 0) <> -e.delta`,
  },
  {
    id: 'I12',
    title: 'the stock of every limited listing is the sum of its events',
    sql: `SELECT l.id AS listing_id, l.quantity_available, coalesce(s.total, 0) AS events
      FROM store_pack_listings l
      LEFT JOIN (SELECT ref_id, sum(delta) AS total FROM stock_events WHERE kind = 'listing'
        GROUP BY 1) s ON s.ref_id = l.id
      WHERE NOT l.is_unlimited
        AND (l.quantity_available < 0 OR l.quantity_available <> coalesce(s.total, 0))`,
  },
  {
    id: 'I19',
    title: 'the nonces of every seed pair follow each other without gaps',
    sql: `SELECT s.id AS seed_pair_id, s.nonce, coalesce(sum(r.quantity), 0) AS drawn
      FROM seed_pairs s LEFT JOIN opening_requests r ON r.seed_pair_id = s.id
      GROUP BY s.id HAVING s.nonce <> coalesce(sum(r.quantity), 0)
      UNION ALL
      SELECT seed_pair_id, first_nonce, expected FROM (
        SELECT seed_pair_id, first_nonce, coalesce(sum(quantity) OVER (PARTITION BY seed_pair_id
          ORDER BY first_nonce ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS expected
        FROM opening_requests) x WHERE first_nonce <> expected`,
  },
  {
    id: 'I20',
    title: 'claims are in a legal state, and those that paid RedCoin are completed',
    sql: `SELECT c.id AS claim, c.status FROM prize_claims c
      LEFT JOIN all_pack_openings o ON o.id = c.pack_opening_id
      WHERE c.status NOT IN ('pending', 'processing', 'completed')
        OR (o.red_coin_earned > 0 AND c.status <> 'completed')`,
  },
  {
    id: 'I23',
    title: 'every pack earned what its odds table promises for its prize, or the consolation',
    sql: `SELECT o.id AS opening_id, o.red_coin_earned FROM all_pack_openings o
      JOIN opening_requests r ON r.id = o.request_id
      LEFT JOIN (SELECT t.id AS table_id, (entry ->> 'prizeId')::int AS prize_id,
          (entry ->> 'redCoinAmount')::bigint AS amount
        FROM odds_tables t, jsonb_array_elements(t.body::jsonb -> 'entries') AS entry) e
        ON e.table_id = r.odds_table_id AND e.prize_id = o.prize_id
      WHERE o.red_coin_earned IS DISTINCT FROM
        CASE WHEN o.prize_id IS NULL THEN r.consolation_red_coin ELSE e.amount END
      UNION ALL
      SELECT NULL, r.consolation_red_coin FROM opening_requests r
      JOIN odds_tables t ON t.id = r.odds_table_id
      WHERE r.consolation_red_coin <> (t.body::jsonb ->> 'consolationRedCoin')::bigint`,
  },
  {
    id: 'I30',
    title: 'every claim keeps what its opening paid, what its odds table called it, and a picture',
    sql: `SELECT c.id AS claim FROM prize_claims c
      JOIN all_pack_openings o ON o.id = c.pack_opening_id
      JOIN opening_requests r ON r.id = o.request_id
      LEFT JOIN (SELECT t.id AS table_id, (entry ->> 'prizeId')::int AS prize_id,
          entry ->> 'name' AS name
        FROM odds_tables t, jsonb_array_elements(t.body::jsonb -> 'entries') AS entry) e
        ON e.table_id = r.odds_table_id AND e.prize_id = o.prize_id
      WHERE c.red_coin_amount <> o.red_coin_earned OR c.prize_name IS DISTINCT FROM e.name
      UNION ALL
      SELECT c.id FROM prize_claims c
      WHERE c.image_hash IS NOT NULL
        AND NOT EXISTS (SELECT FROM prize_images i WHERE i.hash = c.image_hash)`,
  },
  {
    id: 'I24',
    title: 'every odds table is named by the hash of its text',
    sql: `SELECT id AS odds_table_id FROM odds_tables
      WHERE table_hash <> encode(sha256(convert_to(body, 'UTF8')), 'hex')`,
  },
]
