// Follows the public draw log from its first entry, and finds where it breaks or differs from the
// books.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { sha256Hex } from '../../adapters/random/rolls.ts'
import { chainBody, chainStart } from '../../rules/hash-chain.ts'
import { loggedRequests } from '../draw-log/tables.ts'

const batchSize = 500

const compareQueue = statement(
  'compare_draw_log_with_queue',
  `SELECT r.id AS request_id FROM opening_requests r
   LEFT JOIN draw_log d ON d.request_id = r.id
   LEFT JOIN draw_log_queue q ON q.request_id = r.id
   WHERE (q.request_id IS NULL) = (d.request_id IS NULL) LIMIT 20`,
)
const compareCounts = statement(
  'compare_draw_counts',
  `SELECT coalesce(c.odds_table_id, l.odds_table_id) AS odds_table_id,
     coalesce(c.prize_id, l.prize_id) AS prize_id
   FROM draw_counts c
   FULL JOIN (
     SELECT r.odds_table_id, coalesce(o.prize_id, o.sold_out_prize_id, 0) AS prize_id,
       count(*) FILTER (WHERE o.sold_out_prize_id IS NULL) AS wins, count(o.sold_out_prize_id) AS
         sold_out
     FROM draw_log d
     JOIN opening_requests r ON r.id = d.request_id
     JOIN all_pack_openings o ON o.request_id = r.id
     GROUP BY 1, 2
   ) l ON l.odds_table_id = c.odds_table_id AND l.prize_id = c.prize_id
   WHERE c.wins IS DISTINCT FROM l.wins OR c.sold_out IS DISTINCT FROM l.sold_out LIMIT 20`,
)

/**
 * Entries that do not follow from the one before or from their request, requests that are
 * neither logged nor waiting, or both, and sums that differ from the openings.
 */
export async function findBrokenLog(db: Queryable): Promise<Record<string, unknown>[]> {
  const broken: Record<string, unknown>[] = []
  let last = { position: 0, hash: chainStart }
  for (;;) {
    const batch = await loggedRequests(db, last.position, batchSize)
    for (const { position, body, hash, request } of batch) {
      const expected = chainBody(request, last.position + 1, last.hash)
      if (body !== expected || hash !== sha256Hex(body)) broken.push({ position })
      last = { position, hash }
    }
    if (batch.length < batchSize) break
  }
  for (const comparison of [compareQueue, compareCounts]) {
    broken.push(...(await db.run<Record<string, unknown>>(comparison, [])))
  }
  return broken
}
