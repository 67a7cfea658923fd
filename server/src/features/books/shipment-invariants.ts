// Invariants of what is sent for claims.

import { shipmentStates } from '@redpack/contract/shipment-states'
import { statusOfShipment } from '../../rules/shipment-moves.ts'
import type { Invariant } from './invariant.ts'
import { keys, ranged } from './ranges.ts'

const agreeing = shipmentStates.map((state) => `('${state}', '${statusOfShipment(state)}')`)

export const shipmentInvariants: readonly Invariant[] = [
  ranged(
    'I31',
    'every win that is sent has a shipment, and its state says the status of the claim',
    [
      {
        name: 'claims',
        keys: keys.claims,
        news: ['claims', 'shipmentsChanged'],
        sql: (within) => `SELECT c.id AS claim, c.status, s.state FROM prize_claims c
        LEFT JOIN shipments s ON s.id = c.id
        WHERE ${within('c.id')} AND CASE
          WHEN s.id IS NOT NULL THEN (s.state, c.status) NOT IN (${agreeing.join(', ')})
          ELSE c.pack_opening_id IS NOT NULL AND c.status <> 'completed' END`,
      },
      {
        name: 'given_back',
        keys: keys.stockEvents,
        news: ['stock'],
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
      news: ['claims'],
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
      news: ['prizesChanged', 'prizesOfStock'],
      sql: (within) => `SELECT p.id AS prize_id FROM prizes p
        WHERE ${within('p.id')} AND p.delivers_codes AND p.inventory_quantity IS DISTINCT FROM (
          SELECT count(*) FROM prize_codes k WHERE k.prize_id = p.id AND k.prize_claim_id IS NULL)`,
    },
  ]),
]
