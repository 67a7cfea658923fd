// How the logged draws compare with the published odds.

import type { ObservedResponse } from '@redpack/contract'
import type { TableEntry } from '@redpack/fair/draw'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { observedPackTypes, type TableDraws } from '../../rules/observed-chances.ts'

// Tables without draws too, in the order in which they came: the comparison counts prizes by it.
const readCounts = statement(
  'read_draw_counts',
  `SELECT t.pack_type_id, k.name, t.body,
     (SELECT coalesce(jsonb_agg(jsonb_build_array(c.prize_id, c.wins, c.sold_out)), '[]')
      FROM draw_counts c WHERE c.odds_table_id = t.id) AS counts
   FROM odds_tables t
   JOIN pack_types k ON k.id = t.pack_type_id
   ORDER BY t.id`,
)

interface CountsRow {
  readonly pack_type_id: number
  readonly name: string
  readonly body: string
  readonly counts: TableDraws['counts']
}

/** Per pack type and prize what was published and what the logged draws gave. */
export async function observed(db: Queryable): Promise<ObservedResponse> {
  const rows = await db.run<CountsRow>(readCounts, [])
  const names = new Map(rows.map(({ pack_type_id, name }) => [pack_type_id, name]))
  const tables = rows.map(({ pack_type_id, body, counts }) => {
    const { entries } = JSON.parse(body) as { entries: TableEntry[] }
    return { packTypeId: pack_type_id, entries, counts }
  })
  const packTypes = observedPackTypes(tables).map((type) => ({
    ...type,
    name: names.get(type.packTypeId) ?? '',
  }))
  return { packTypes }
}
