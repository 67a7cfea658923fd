// The sums of what was drawn, which staff compare with the odds, against the log they were made of.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { BrokenRow } from './invariant.ts'

/** Wins and sold-out draws by the hash of the odds table and the prize, 0 for none. */
export type DrawSums = Record<string, Record<string, [wins: number, soldOut: number]>>

type SumRow = readonly [tableHash: string, prizeId: number, wins: number, soldOut: number]

// One statement, so that the sums are of the entries whose number it answers. Requests of the first
// log were counted before they had entries here.
const readSums = statement(
  'read_sums_of_draws',
  `SELECT (SELECT coalesce(max(index) + 1, 0)::bigint FROM log_entries) AS size,
     (SELECT json_agg(json_build_array(t.table_hash, c.prize_id, c.wins, c.sold_out))
      FROM draw_counts c JOIN odds_tables t ON t.id = c.odds_table_id) AS kept,
     (SELECT json_agg(json_build_array(x.table_hash, x.prize_id, x.wins, x.sold_out)) FROM (
        SELECT t.table_hash, coalesce(o.prize_id, o.sold_out_prize_id, 0) AS prize_id,
          count(*) FILTER (WHERE o.sold_out_prize_id IS NULL) AS wins,
          count(o.sold_out_prize_id) AS sold_out
        FROM (SELECT request_id::text AS id FROM log_requests WHERE is_carried
          UNION SELECT ref FROM log_queue WHERE kind = 'carried') d
        JOIN opening_requests r ON r.id = d.id::uuid
        JOIN odds_tables t ON t.id = r.odds_table_id
        JOIN all_pack_openings o ON o.request_id = r.id
        GROUP BY 1, 2) x) AS carried`,
)

/** Adds what one entry of an opening says. */
export function addDraw(sums: DrawSums, fields: Readonly<Record<string, unknown>>): void {
  const { tableHash, prizeId, soldOutPrizeId } = fields
  add(sums, [
    String(tableHash),
    Number(prizeId ?? soldOutPrizeId ?? 0),
    soldOutPrizeId === null ? 1 : 0,
    soldOutPrizeId === null ? 0 : 1,
  ])
}

function add(sums: DrawSums, [tableHash, prizeId, wins, soldOut]: SumRow): void {
  const ofTable = sums[tableHash] ?? {}
  const [winsBefore, soldOutBefore] = ofTable[prizeId] ?? [0, 0]
  ofTable[prizeId] = [winsBefore + wins, soldOutBefore + soldOut]
  sums[tableHash] = ofTable
}

/** Sums that differ from those of the first `size` entries; undefined when the log has grown. */
export async function brokenSums(
  db: Queryable,
  size: number,
  logged: DrawSums,
): Promise<BrokenRow[] | undefined> {
  const [row] = await db.run<{
    size: number
    kept: SumRow[] | null
    carried: SumRow[] | null
  }>(readSums, [])
  if (row === undefined || row.size > size) return undefined
  const expected = structuredClone(logged)
  for (const sum of row.carried ?? []) add(expected, sum)
  const kept: DrawSums = {}
  for (const sum of row.kept ?? []) add(kept, sum)
  const named = (sums: DrawSums) =>
    Object.entries(sums).flatMap(([hash, of]) => Object.keys(of).map((prize) => `${hash}:${prize}`))
  return [...new Set([...named(expected), ...named(kept)])].flatMap((name) => {
    const [tableHash = '', prizeId = ''] = name.split(':')
    const [one, other] = [expected[tableHash]?.[prizeId], kept[tableHash]?.[prizeId]]
    if (one?.[0] === other?.[0] && one?.[1] === other?.[1]) return []
    return [{ tableHash, prizeId: Number(prizeId), problem: 'the sum of its draws is wrong' }]
  })
}
