// Invariants of the stock of prizes and listings.

import type { Invariant } from './invariant.ts'
import type { Within } from './new-parts.ts'
import { type Keys, keys, type Part, range, ranged } from './ranges.ts'

const running = (kind: 'prize' | 'listing', keysOf: Keys): Part => ({
  name: keysOf.name,
  keys: keysOf,
  news: [kind === 'prize' ? 'prizesOfStock' : 'listingsOfStock'],
  sql: (within) => `SELECT id AS stock_event_id, kind, ref_id FROM (
      SELECT id, kind, ref_id, sum(delta) OVER (PARTITION BY ref_id ORDER BY id) AS running
      FROM stock_events WHERE kind = '${kind}' AND ${within('ref_id')}) x
    WHERE running < 0`,
})

const eventSum = (within: Within, kind: 'prize' | 'listing') => `SELECT ref_id, sum(delta) AS total
  FROM stock_events WHERE kind = '${kind}' AND ${within('ref_id')} GROUP BY 1`

export const stockInvariants: readonly Invariant[] = [
  ranged(
    'I10',
    'the stock of every limited prize is the sum of its events',
    range(
      keys.prizes,
      ['prizesChanged', 'prizesOfStock'],
      (within) => `SELECT p.id AS prize_id, p.inventory_quantity, coalesce(s.total, 0) AS events
       FROM prizes p LEFT JOIN (${eventSum(within, 'prize')}) s ON s.ref_id = p.id
       WHERE ${within('p.id')} AND p.inventory_quantity IS NOT NULL
         AND (p.inventory_quantity <> coalesce(s.total, 0) OR p.inventory_quantity < 0)`,
    ),
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
        news: ['stock', 'stockOfOpenings'],
        sql: (within) => `SELECT e.id AS stock_event_id, e.kind, e.ref_id FROM stock_events e
          LEFT JOIN LATERAL (SELECT count(*) AS wins FROM all_pack_openings o
            WHERE o.prize_id = e.ref_id AND o.request_id = CASE
              WHEN e.source_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
              THEN e.source_id::uuid END) o ON true
          WHERE ${within('e.id')} AND e.kind = 'prize' AND e.source_type = 'claim'
            AND o.wins <> -e.delta`,
      },
    ],
  ),
  ranged(
    'I12',
    'the stock of every limited listing is the sum of its events',
    range(
      keys.listings,
      ['listingsChanged', 'listingsOfStock'],
      (within) => `SELECT l.id AS listing_id, l.quantity_available, coalesce(s.total, 0) AS events
       FROM store_pack_listings l LEFT JOIN (${eventSum(within, 'listing')}) s ON s.ref_id = l.id
       WHERE ${within('l.id')} AND NOT l.is_unlimited
         AND (l.quantity_available < 0 OR l.quantity_available <> coalesce(s.total, 0))`,
    ),
  ),
]
