// What everyone sees of the draws: the log, and how it compares with the published odds.

import type { DrawLogQuery, DrawLogResponse, ObservedResponse } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { drawsOf, observedPrizes, type TableDraws } from '../../rules/observed-chances.ts'
import type { OddsEntry } from '../../rules/odds.ts'

// One statement, so that the end of the chain is not older than the entries.
const readLog = statement(
  'read_draw_log',
  `SELECT latest.position AS latest_position, latest.hash AS latest_hash, page.body, page.hash
   FROM (SELECT position, hash FROM draw_log ORDER BY position DESC LIMIT 1) latest
   LEFT JOIN LATERAL (
     SELECT position, body, hash FROM draw_log WHERE position > $1 ORDER BY position LIMIT $2
   ) page ON true
   ORDER BY page.position`,
)

interface LogRow {
  readonly latest_position: number
  readonly latest_hash: string
  readonly body: string | null
  readonly hash: string | null
}

/** The entries behind a position, oldest first, and the end of the chain. */
export async function drawLog(
  db: Queryable,
  { after, limit }: DrawLogQuery,
): Promise<DrawLogResponse> {
  const rows = await db.run<LogRow>(readLog, [after, limit])
  const first = rows[0]
  return {
    entries: rows.flatMap(({ body, hash }) =>
      body === null ? [] : [{ ...JSON.parse(body), hash }],
    ),
    latest:
      first === undefined ? null : { position: first.latest_position, hash: first.latest_hash },
  }
}

const readCounts = statement(
  'read_draw_counts',
  `SELECT t.pack_type_id, k.name, t.body,
     jsonb_agg(jsonb_build_array(c.prize_id, c.wins, c.sold_out)) AS counts
   FROM draw_counts c
   JOIN odds_tables t ON t.id = c.odds_table_id
   JOIN pack_types k ON k.id = t.pack_type_id
   GROUP BY t.id, k.id
   ORDER BY t.pack_type_id, t.id`,
)

interface CountsRow {
  readonly pack_type_id: number
  readonly name: string
  readonly body: string
  readonly counts: TableDraws['counts']
}

/** Per pack type and prize what was published and what the logged draws gave. */
export async function observed(db: Queryable): Promise<ObservedResponse> {
  const types = new Map<number, { name: string; tables: TableDraws[] }>()
  for (const row of await db.run<CountsRow>(readCounts, [])) {
    const { entries } = JSON.parse(row.body) as { entries: OddsEntry[] }
    const type = types.get(row.pack_type_id) ?? { name: row.name, tables: [] }
    type.tables.push({ entries, counts: row.counts })
    types.set(row.pack_type_id, type)
  }
  const packTypes = [...types].map(([packTypeId, { name, tables }]) => ({
    packTypeId,
    name,
    draws: tables.reduce((total, { counts }) => total + drawsOf(counts), 0),
    prizes: observedPrizes(tables),
  }))
  return { packTypes }
}
