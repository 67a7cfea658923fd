// Draws every past pack again from its seeds and its odds table, and finds those that differ.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { fairRolls } from '../../adapters/random/rolls.ts'
import { entryAt } from '../../rules/draw.ts'
import { type OddsEntry, oddsThresholds } from '../../rules/odds.ts'

const batchSize = 500

const readBatch = statement(
  'read_draws_to_check',
  `SELECT r.id, r.odds_table_id, r.first_nonce, r.quantity, s.server_seed, s.client_seed,
     (SELECT jsonb_agg(jsonb_build_array(o.id, o.nonce, coalesce(o.prize_id, o.sold_out_prize_id))
        ORDER BY o.nonce) FROM all_pack_openings o WHERE o.request_id = r.id) AS drawn
   FROM opening_requests r JOIN seed_pairs s ON s.id = r.seed_pair_id
   WHERE r.id > $1 ORDER BY r.id LIMIT ${batchSize}`,
)
const readTables = statement('read_all_odds_tables', 'SELECT id, body FROM odds_tables')

interface BatchRow {
  readonly id: string
  readonly odds_table_id: number
  readonly first_nonce: number
  readonly quantity: number
  readonly server_seed: string
  readonly client_seed: string
  readonly drawn: readonly (readonly [number, number, number | null])[] | null
}

interface Table {
  readonly prizeIds: readonly number[]
  readonly thresholds: readonly number[]
}

/** Openings whose prize (won or sold out) is not the one that HMAC, nonce and thresholds give. */
export async function findForgedDraws(db: Queryable): Promise<{ opening_id: number }[]> {
  const tables = new Map<number, Table>()
  for (const { id, body } of await db.run<{ id: number; body: string }>(readTables, [])) {
    const { entries } = JSON.parse(body) as { entries: OddsEntry[] }
    const prizeIds = entries.map(({ prizeId }) => prizeId)
    tables.set(id, { prizeIds, thresholds: oddsThresholds(entries) })
  }
  const forged: { opening_id: number }[] = []
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const batch = await db.run<BatchRow>(readBatch, [after])
    for (const row of batch) forged.push(...forgedIn(row, tables.get(row.odds_table_id)))
    const last = batch.at(-1)
    if (last === undefined) return forged
    after = last.id
  }
}

function forgedIn(row: BatchRow, table: Table | undefined): { opening_id: number }[] {
  const rolls = fairRolls(row.server_seed, row.client_seed, row.first_nonce, row.quantity)
  return (row.drawn ?? []).flatMap(([openingId, nonce, prizeId]) => {
    const roll = rolls[nonce - row.first_nonce]
    const entry =
      table === undefined || roll === undefined ? undefined : entryAt(table.thresholds, roll)
    const expected = entry === undefined ? null : (table?.prizeIds[entry] ?? null)
    return roll !== undefined && expected === prizeId ? [] : [{ opening_id: openingId }]
  })
}
