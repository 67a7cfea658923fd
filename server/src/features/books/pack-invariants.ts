// Invariants of holdings, openings, claims and what is sent for them, the material of draws, and
// stock.

import { shipmentStates } from '@redpack/contract/shipment-states'
import { statusOfShipment } from '../../rules/shipment-moves.ts'
import type { Invariant } from './invariant.ts'
import { type Keys, keys, uuidOf } from './keys.ts'
import { type Part, ranged, rangedBy, type Within } from './ranges.ts'

/** The entries of the odds tables that a query has found, under the name `found`. */
const entriesOfFound = `SELECT t.id AS table_id, (entry ->> 'prizeId')::int AS prize_id,
    entry ->> 'name' AS name, (entry ->> 'redCoinAmount')::bigint AS amount,
    (entry ->> 'rewardPackTypeId')::int AS pack_type_id,
    (entry ->> 'rewardPackQuantity')::int AS packs
  FROM odds_tables t, jsonb_array_elements(t.body::jsonb -> 'entries') AS entry
  WHERE t.id IN (SELECT odds_table_id FROM found)`

export const packInvariants: readonly Invariant[] = [
  rangedBy(
    'I4',
    'every holding is the sum of its history',
    keys.users,
    (within) => `SELECT coalesce(h.user_id, l.user_id) AS user_id,
         coalesce(h.pack_type_id, l.pack_type_id) AS pack_type_id, h.quantity, l.total
       FROM (SELECT * FROM user_packs WHERE ${within('user_id')}) h
       FULL JOIN (SELECT user_id, pack_type_id, sum(delta) AS total FROM pack_transactions
         WHERE ${within('user_id')} GROUP BY 1, 2) l
         ON l.user_id = h.user_id AND l.pack_type_id = h.pack_type_id
       WHERE coalesce(h.quantity, 0) <> coalesce(l.total, 0)`,
  ),
  rangedBy(
    'I5',
    'one holding per user and pack type, never below 0',
    keys.users,
    (within) => `SELECT user_id, pack_type_id FROM user_packs WHERE ${within('user_id')}
       GROUP BY 1, 2 HAVING count(*) > 1 OR min(quantity) < 0`,
  ),
  rangedBy(
    'I6',
    'as many packs were opened as were taken for opening',
    keys.users,
    (within) => `SELECT coalesce(o.user_id, t.user_id) AS user_id,
         coalesce(o.pack_type_id, t.pack_type_id) AS pack_type_id, o.opened, t.taken
       FROM (SELECT user_id, pack_type_id, count(*) AS opened FROM all_pack_openings
         WHERE ${within('user_id')} GROUP BY 1, 2) o
       FULL JOIN (SELECT user_id, pack_type_id, -sum(delta) AS taken FROM pack_transactions
         WHERE ${within('user_id')} AND type = 'open' GROUP BY 1, 2) t
         ON t.user_id = o.user_id AND t.pack_type_id = o.pack_type_id
       WHERE coalesce(o.opened, 0) <> coalesce(t.taken, 0)`,
  ),
  ranged('I7', 'every win has exactly one claim, and every claim a win, of one prize and user', [
    {
      name: 'all_pack_openings',
      keys: keys.openings,
      sql: (within) => `SELECT o.id AS opening_id FROM all_pack_openings o
        LEFT JOIN (SELECT pack_opening_id, count(*) AS claims, min(prize_id) AS prize_id,
            min(user_id) AS user_id FROM prize_claims
          WHERE ${within('pack_opening_id')} GROUP BY 1) c
          ON c.pack_opening_id = o.id
        WHERE ${within('o.id')} AND o.prize_id IS NOT NULL
          AND (c.claims IS DISTINCT FROM 1 OR c.prize_id <> o.prize_id OR c.user_id <> o.user_id)`,
    },
    {
      name: 'claims',
      keys: keys.claims,
      sql: (within) => `SELECT c.id AS claim FROM prize_claims c
        LEFT JOIN all_pack_openings o ON o.id = c.pack_opening_id
        WHERE ${within('c.id')} AND (o.prize_id IS DISTINCT FROM c.prize_id
          OR o.user_id IS DISTINCT FROM c.user_id)`,
    },
  ]),
  rangedBy(
    'I9',
    'every claim of an opening has a Claim ID of its own',
    keys.claims,
    (within) => `SELECT c.id AS claim FROM prize_claims c
       WHERE ${within('c.id')} AND c.pack_opening_id IS NOT NULL AND (c.claim_id IS NULL
         OR EXISTS (SELECT FROM prize_claims d WHERE d.claim_id = c.claim_id AND d.id <> c.id
           AND d.pack_opening_id IS NOT NULL))`,
  ),
  ranged('I19', 'the openings of every draw chain follow each other without gaps, seed by seed', [
    {
      name: 'order',
      keys: keys.chains,
      sql: (within) => `SELECT chain_id, chain_index FROM (
            SELECT r.chain_id, r.chain_index, r.server_seed,
              row_number() OVER openings - 1 AS expected,
              coalesce(lag(r.next_commitment) OVER openings, c.first_commitment) AS commitment
            FROM opening_requests r JOIN draw_chains c ON c.id = r.chain_id
            WHERE ${within('r.chain_id')}
            WINDOW openings AS (PARTITION BY r.chain_id ORDER BY r.chain_index)) x
          WHERE chain_index <> expected
            OR commitment <> encode(sha256(decode(server_seed, 'hex')), 'hex')`,
    },
    {
      name: 'ends',
      keys: keys.chains,
      sql: (within) => `SELECT c.id AS chain_id, c.index, c.commitment FROM draw_chains c
          LEFT JOIN LATERAL (SELECT r.chain_index, r.next_commitment FROM opening_requests r
            WHERE r.chain_id = c.id ORDER BY r.chain_index DESC LIMIT 1) last ON true
          WHERE ${within('c.id')} AND (c.index <> coalesce(last.chain_index + 1, 0)
            OR c.commitment <> coalesce(last.next_commitment, c.first_commitment))`,
    },
    {
      name: 'packs',
      keys: keys.requests,
      sql: (within) => `SELECT r.id AS request_id, r.quantity FROM opening_requests r
          LEFT JOIN LATERAL (SELECT count(*) AS packs, min(position) AS first, max(position) AS last
            FROM all_pack_openings o WHERE o.request_id = r.id) o ON true
          WHERE ${within('r.id')}
            AND (o.packs <> r.quantity OR o.first <> 0 OR o.last <> r.quantity - 1)`,
    },
  ]),
  rangedBy(
    'I20',
    'claims are in a legal state, and those that paid RedCoin are completed',
    keys.claims,
    (within) => `SELECT c.id AS claim, c.status FROM prize_claims c
       LEFT JOIN all_pack_openings o ON o.id = c.pack_opening_id
       WHERE ${within('c.id')}
         AND (c.status NOT IN ('pending', 'processing', 'completed')
           OR (o.red_coin_earned > 0 AND c.status <> 'completed'))`,
  ),
  ranged(
    'I23',
    'every pack earned what its odds table promises for its prize, or the consolation',
    [
      {
        name: 'openings',
        keys: keys.openings,
        sql: (within) => `WITH found AS MATERIALIZED (
          SELECT o.id, o.prize_id, o.red_coin_earned, r.odds_table_id, r.consolation_red_coin
          FROM all_pack_openings o JOIN opening_requests r ON r.id = o.request_id
          WHERE ${within('o.id')})
        SELECT found.id AS opening_id, found.red_coin_earned FROM found
        LEFT JOIN (${entriesOfFound}) e
          ON e.table_id = found.odds_table_id AND e.prize_id = found.prize_id
        WHERE found.red_coin_earned IS DISTINCT FROM
          CASE WHEN found.prize_id IS NULL THEN found.consolation_red_coin ELSE e.amount END`,
      },
      {
        name: 'requests',
        keys: keys.requests,
        sql: (within) => `WITH found AS MATERIALIZED (
          SELECT id, odds_table_id, consolation_red_coin FROM opening_requests
          WHERE ${within('id')}), promised AS MATERIALIZED (
          SELECT id, (body::jsonb ->> 'consolationRedCoin')::bigint AS amount FROM odds_tables
          WHERE id IN (SELECT odds_table_id FROM found))
        SELECT found.id AS request_id, found.consolation_red_coin FROM found
        JOIN promised ON promised.id = found.odds_table_id
        WHERE found.consolation_red_coin <> promised.amount`,
      },
      {
        name: 'packs',
        keys: keys.requests,
        sql: (within) => `WITH found AS MATERIALIZED (
          SELECT id, user_id, odds_table_id FROM opening_requests WHERE ${within('id')})
        SELECT request_id, pack_type_id, sum(packs) AS missing FROM (
          SELECT found.id AS request_id, e.pack_type_id, e.packs FROM found
          JOIN all_pack_openings o ON o.request_id = found.id
          JOIN (${entriesOfFound}) e
            ON e.table_id = found.odds_table_id AND e.prize_id = o.prize_id
          WHERE ${within('o.request_id')} AND e.pack_type_id IS NOT NULL
          UNION ALL
          SELECT found.id, t.pack_type_id, -t.delta FROM found
          CROSS JOIN LATERAL (SELECT h.pack_type_id, h.delta FROM pack_transactions h
            WHERE h.source_type = 'opening_request' AND h.source_id = found.id::text
              AND h.user_id = found.user_id AND h.type = 'prize_reward' OFFSET 0) t) x
        GROUP BY 1, 2 HAVING sum(packs) <> 0`,
      },
    ],
  ),
  ranged(
    'I30',
    'every claim keeps what its opening paid, what its odds table called it, and a picture',
    [
      {
        name: 'words',
        keys: keys.claims,
        sql: (within) => `WITH found AS MATERIALIZED (
            SELECT c.id, c.red_coin_amount, c.prize_name, c.pack_quantity, o.red_coin_earned,
              o.prize_id, r.odds_table_id
            FROM prize_claims c
            JOIN all_pack_openings o ON o.id = c.pack_opening_id
            JOIN opening_requests r ON r.id = o.request_id
            WHERE ${within('c.id')})
          SELECT found.id AS claim FROM found
          LEFT JOIN (${entriesOfFound}) e
            ON e.table_id = found.odds_table_id AND e.prize_id = found.prize_id
          WHERE found.red_coin_amount <> found.red_coin_earned
            OR found.prize_name IS DISTINCT FROM e.name
            OR found.pack_quantity IS DISTINCT FROM e.packs`,
      },
      {
        name: 'pictures',
        keys: keys.claims,
        sql: (within) => `SELECT c.id AS claim FROM prize_claims c
          WHERE ${within('c.id')} AND c.image_hash IS NOT NULL
            AND NOT EXISTS (SELECT FROM images i WHERE i.hash = c.image_hash)`,
      },
    ],
  ),
  rangedBy(
    'I24',
    'every odds table is named by the hash of its text',
    keys.tables,
    (within) => `SELECT id AS odds_table_id FROM odds_tables WHERE ${within('id')}
         AND table_hash <> encode(sha256(convert_to(body, 'UTF8')), 'hex')`,
  ),
]

const running = (kind: 'prize' | 'listing', keysOf: Keys): Part => ({
  name: keysOf.name,
  keys: keysOf,
  sql: (within) => `SELECT id AS stock_event_id, kind, ref_id FROM (
      SELECT id, kind, ref_id, sum(delta) OVER (PARTITION BY ref_id ORDER BY id) AS running
      FROM stock_events WHERE kind = '${kind}' AND ${within('ref_id')}) x
    WHERE running < 0`,
})

const eventSum = (within: Within, kind: 'prize' | 'listing') => `SELECT ref_id, sum(delta) AS total
  FROM stock_events WHERE kind = '${kind}' AND ${within('ref_id')} GROUP BY 1`

export const stockInvariants: readonly Invariant[] = [
  rangedBy(
    'I10',
    'the stock of every limited prize is the sum of its events',
    keys.prizes,
    (within) => `SELECT p.id AS prize_id, p.inventory_quantity, coalesce(s.total, 0) AS events
       FROM prizes p LEFT JOIN (${eventSum(within, 'prize')}) s ON s.ref_id = p.id
       WHERE ${within('p.id')} AND p.inventory_quantity IS NOT NULL
         AND (p.inventory_quantity <> coalesce(s.total, 0) OR p.inventory_quantity < 0)`,
  ),
  ranged(
    'I11',
    'stock was never below 0, and every unit that left for a claim was won in an opening',
    [
      running('prize', keys.stockOfPrizes),
      running('listing', keys.stockOfListings),
      {
        name: 'claims',
        keys: keys.stockEvents,
        sql: (within) => `SELECT e.id AS stock_event_id, e.kind, e.ref_id FROM stock_events e
          LEFT JOIN LATERAL (SELECT count(*) AS wins FROM all_pack_openings o
            WHERE o.prize_id = e.ref_id AND o.request_id = ${uuidOf('e.source_id')}) o ON true
          WHERE ${within('e.id')} AND e.kind = 'prize' AND e.source_type = 'claim'
            AND o.wins <> -e.delta`,
      },
    ],
  ),
  rangedBy(
    'I12',
    'the stock of every limited listing is the sum of its events',
    keys.listings,
    (within) => `SELECT l.id AS listing_id, l.quantity_available, coalesce(s.total, 0) AS events
       FROM store_pack_listings l LEFT JOIN (${eventSum(within, 'listing')}) s ON s.ref_id = l.id
       WHERE ${within('l.id')} AND NOT l.is_unlimited
         AND (l.quantity_available < 0 OR l.quantity_available <> coalesce(s.total, 0))`,
  ),
]

const agreeing = shipmentStates.map((state) => `('${state}', '${statusOfShipment(state)}')`)

export const shipmentInvariants: readonly Invariant[] = [
  ranged(
    'I31',
    'every win that is sent has a shipment, and its state says the status of the claim',
    [
      {
        name: 'claims',
        keys: keys.claims,
        sql: (within) => `SELECT c.id AS claim, c.status, s.state FROM prize_claims c
        LEFT JOIN shipments s ON s.id = c.id
        WHERE ${within('c.id')} AND CASE
          WHEN s.id IS NOT NULL THEN (s.state, c.status) NOT IN (${agreeing.join(', ')})
          ELSE c.pack_opening_id IS NOT NULL AND c.status <> 'completed' END`,
      },
      {
        name: 'given_back',
        keys: keys.stockEvents,
        sql: (within) => `SELECT e.id AS stock_event_id FROM stock_events e
        WHERE ${within('e.id')} AND e.source_type = 'shipment' AND NOT EXISTS (
          SELECT FROM shipments s JOIN prize_claims c ON c.id = s.id
          WHERE s.id = CASE WHEN e.source_id ~ '^[0-9]{1,9}$' THEN e.source_id::int END
            AND s.state IN ('declined', 'lapsed') AND c.prize_id = e.ref_id AND e.delta = 1)`,
      },
    ],
  ),
  ranged('I32', 'codes that are assigned match wins, and those that are unused match the stock', [
    {
      name: 'wins',
      keys: keys.claims,
      // What is neither paid nor sent was a code.
      sql: (within) => `SELECT c.id AS claim FROM prize_claims c
        LEFT JOIN shipments s ON s.id = c.id
        LEFT JOIN prize_codes k ON k.prize_claim_id = c.id
        WHERE ${within('c.id')} AND CASE
          WHEN k.id IS NOT NULL THEN k.prize_id <> c.prize_id OR c.pack_opening_id IS NULL
            OR c.status <> 'completed' OR s.id IS NOT NULL
          ELSE c.pack_opening_id IS NOT NULL AND s.id IS NULL AND c.red_coin_amount = 0
            AND (c.pack_quantity = 0 OR c.is_also_sent) END`,
    },
    {
      name: 'stock',
      keys: keys.prizes,
      sql: (within) => `SELECT p.id AS prize_id FROM prizes p
        WHERE ${within('p.id')} AND p.delivers_codes AND p.inventory_quantity IS DISTINCT FROM (
          SELECT count(*) FROM prize_codes k WHERE k.prize_id = p.id AND k.prize_claim_id IS NULL)`,
    },
  ]),
]
