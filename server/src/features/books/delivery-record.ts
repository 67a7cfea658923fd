// Whether the public log says of each shipment how far it is.

import { keys, type Part } from './ranges.ts'

/**
 * What was told last, in the log or waiting for it, is what holds. Openings that are not in the log
 * tell nothing yet, and neither does what was given up before there was a record.
 */
export const shipmentsTold: Part = {
  name: 'shipments',
  keys: keys.shipments,
  news: ['shipmentsChanged'],
  // The words about the entry are those of the index log_entries_shipments.
  sql: (within) => `SELECT s.id AS claim, 'the log does not say how far its shipment is' AS problem
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
      AND CASE WHEN told.step IS NULL THEN s.state NOT IN ('declined', 'lapsed')
      ELSE (told.step ->> 'step', told.step ->> 'due') IS DISTINCT FROM (
        CASE WHEN c.deleted_at IS NULL THEN public_step(s.state) ELSE 'withdrawn' END,
        utc_day(s.deadline)) END`,
}
