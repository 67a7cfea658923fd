// Whether everything that belongs into the public log stands in it once, or waits for it.

import { keys } from './keys.ts'
import type { Part } from './ranges.ts'

// Asked whether a set has it, PostgreSQL reads the queue once for a range; as a join it would trust
// an estimate that is wrong whenever the log has fallen behind.
const waits = (kinds: string, ref: string) =>
  `(${ref} IN (SELECT ref FROM log_queue WHERE kind IN (${kinds})))`

/** Each is one statement, so the log and its queue are seen at one moment. */
export const logComparisons: readonly Part[] = [
  {
    name: 'requests',
    keys: keys.requests,
    sql: (within) => `SELECT r.id AS request_id, 'it is not in the log once' AS problem
      FROM opening_requests r
      LEFT JOIN log_requests l ON l.request_id = r.id
      LEFT JOIN LATERAL (SELECT e.index FROM log_entries e WHERE e.index = l.index
        AND e.body LIKE '{"type":"opening","id":"' || r.id || '",%' OFFSET 0) e ON true
      WHERE ${within('r.id')}
        AND ${waits("'opening'", 'r.id::text')} = (e.index IS NOT NULL)`,
  },
  {
    // The words about the entry are those of the index log_entries_ends.
    name: 'ends',
    keys: keys.chains,
    sql: (within) => `SELECT c.id AS chain_id, 'its end is not in the log once' AS problem
      FROM draw_chains c
      LEFT JOIN LATERAL (SELECT count(*) AS entries FROM log_entries
        WHERE body LIKE '{"type":"end",%'
          AND substring(body from '"chainId":([0-9]{1,18}),')::bigint = c.id) e ON true
      WHERE ${within('c.id')} AND c.index > 0
        AND e.entries + ${waits("'end'", 'c.id::text')}::int <> (c.ended_at IS NOT NULL)::int`,
  },
  {
    // The words about the entry are those of the index log_entries_tables.
    name: 'tables',
    keys: keys.tables,
    sql: (within) => `SELECT t.id AS odds_table_id, 'the table is not in the log' AS problem
      FROM odds_tables t
      LEFT JOIN LATERAL (SELECT EXISTS (SELECT FROM log_entries
        WHERE body LIKE '{"type":"table",%'
          AND substring(body from '"tableHash":"([0-9a-f]{64})"') = t.table_hash) AS yes) e ON true
      WHERE ${within('t.id')} AND ${waits("'table'", 't.id::text')} = e.yes`,
  },
  {
    // Changes before the first that was queued are told by what the prizes had when the log began.
    name: 'stock',
    keys: keys.stockEvents,
    sql: (within) => `SELECT e.id AS stock_event_id, 'the change is not in the log once' AS problem
      FROM stock_events e
      LEFT JOIN log_stock_events l ON l.event_id = e.id
      WHERE ${within('e.id')} AND e.kind = 'prize' AND e.source_type <> 'claim'
        AND CASE WHEN e.source_type = 'shipment' THEN e.source_id IN (SELECT ref FROM log_queue
            WHERE kind = 'shipment' AND body ~ '"step":"(declined|lapsed)"')
          ELSE e.id::text IN (SELECT ref FROM log_queue WHERE kind = 'stock' AND body IS NULL) END
          = (l.index IS NOT NULL)
        AND e.id >= least((SELECT min(event_id) FROM log_stock_events), (SELECT min(ref::bigint)
          FROM log_queue WHERE kind = 'stock' AND body IS NULL AND ref ~ '^[0-9]{1,18}$'))`,
  },
  {
    // What was told last, in the log or waiting for it, is what holds. Openings that are not in the
    // log tell nothing yet.
    name: 'shipments',
    keys: keys.shipments,
    // The words about the entry are those of the index log_entries_shipments.
    sql: (
      within,
    ) => `SELECT s.id AS claim, 'the log does not say how far its shipment is' AS problem
      FROM shipments s
      JOIN prize_claims c ON c.id = s.id
      JOIN LATERAL (SELECT request_id, position FROM all_pack_openings
        WHERE id = c.pack_opening_id LIMIT 1) o ON true
      JOIN log_requests l ON l.request_id = o.request_id
      LEFT JOIN LATERAL (SELECT body::json AS step FROM (
          SELECT body, false AS waits, index AS place FROM log_entries
          WHERE body LIKE '{"type":"shipment",%'
            AND substring(body from '"opening":"([^"]+)"') = o.request_id::text
          UNION ALL
          SELECT body, true, id FROM log_queue
          WHERE kind = 'shipment' AND set_aside IS NULL AND ref IN (s.id::text, 'claim ' || s.id)
        ) t WHERE body LIKE '%,"position":' || o.position || ',"step":%'
        ORDER BY waits DESC, place DESC LIMIT 1) told ON true
      WHERE ${within('s.id')}
        AND (told.step ->> 'step', told.step ->> 'due') IS DISTINCT FROM (
          CASE WHEN c.deleted_at IS NULL THEN public_step(s.state) ELSE 'withdrawn' END,
          utc_day(s.deadline))`,
  },
  {
    name: 'aside',
    keys: keys.queue,
    sql: (within) => `SELECT id AS queue_id, kind, ref, set_aside AS problem FROM log_queue
      WHERE ${within('id')} AND set_aside IS NOT NULL`,
  },
  {
    name: 'signing',
    keys: keys.logKeys,
    sql: (within) => `SELECT trouble AS problem FROM log_keys WHERE ${within('id')}
      AND trouble IS NOT NULL AND id = (SELECT max(id) FROM log_keys)`,
  },
]
