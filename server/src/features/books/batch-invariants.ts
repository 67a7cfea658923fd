// Invariants of bulk grants and their reversals.

import type { Invariant } from './invariant.ts'
import type { Within } from './new-parts.ts'
import { keys, range, ranged } from './ranges.ts'

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
  ranged(
    'I28',
    'every bulk batch booked what its receipt says, for the same people',
    range(
      keys.batches,
      ['batches', 'batchesOfRows', 'batchesOfLedger', 'batchesOfPacks'],
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
  ),
  ranged('I29', 'bulk batches add up, and a reversal takes at most what was given', [
    {
      name: 'sums',
      keys: keys.batches,
      news: ['batches', 'batchesOfRows', 'batchesOfLedger', 'batchesOfPacks'],
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
      news: ['batches', 'batchesOfRows', 'batchesOfLedger', 'batchesOfPacks'],
      sql: (within) => `SELECT b.id AS batch_id, t.applied FROM bulk_batches b
        JOIN bulk_batch_rows t ON t.batch_id = b.id
        LEFT JOIN bulk_batch_rows g ON g.batch_id = b.reverses AND g.row_number = t.row_number
          AND g.user_id = t.user_id
        WHERE ${within('b.id')} AND b.reverses IS NOT NULL
          AND (t.applied > 0 OR -t.applied > coalesce(g.applied, 0))`,
    },
  ]),
]
