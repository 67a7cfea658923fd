// The sums of what was drawn, which staff compare with the odds, against the log they were made of.

import type { OpeningEntry } from '@redpack/fair/entries'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { BrokenRow } from './invariant.ts'

/** Wins and sold-out draws by the hash of the odds table and the prize, 0 for none. */
export type DrawSums = Record<string, Record<string, [wins: number, soldOut: number]>>

type SumRow = readonly [tableHash: string, prizeId: number, wins: number, soldOut: number]

// One statement, so that the sums are of the entries whose number it answers.
const readSums = statement(
  'read_sums_of_draws',
  `SELECT (SELECT coalesce(max(index) + 1, 0)::bigint FROM log_entries) AS size,
     (SELECT json_agg(json_build_array(t.table_hash, c.prize_id, c.wins, c.sold_out))
      FROM draw_counts c JOIN odds_tables t ON t.id = c.odds_table_id) AS kept`,
)

/** Adds what the entry of a request says. */
export function addDraws(sums: DrawSums, { tableHash, results }: OpeningEntry): void {
  for (const [won, soldOut] of results) {
    const counts = soldOut === null ? ([1, 0] as const) : ([0, 1] as const)
    add(sums, [tableHash, won ?? soldOut ?? 0, ...counts])
  }
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
  const [row] = await db.run<{ size: number; kept: SumRow[] | null }>(readSums, [])
  if (row === undefined || row.size > size) return undefined
  const kept: DrawSums = {}
  for (const sum of row.kept ?? []) add(kept, sum)
  const named = (sums: DrawSums) =>
    Object.entries(sums).flatMap(([hash, of]) => Object.keys(of).map((prize) => `${hash}:${prize}`))
  return [...new Set([...named(logged), ...named(kept)])].flatMap((name) => {
    const [tableHash = '', prizeId = ''] = name.split(':')
    const [one, other] = [logged[tableHash]?.[prizeId], kept[tableHash]?.[prizeId]]
    if (one?.[0] === other?.[0] && one?.[1] === other?.[1]) return []
    return [{ tableHash, prizeId: Number(prizeId), problem: 'the sum of its draws is wrong' }]
  })
}
