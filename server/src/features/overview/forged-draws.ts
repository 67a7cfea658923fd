// Draws every past pack again from its seeds and its odds table, and finds those that differ.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { fairRolls, type RollScheme, seedCommitment } from '../../adapters/random/rolls.ts'
import type { KeptSeed, ServerSeeds } from '../../adapters/random/server-seeds.ts'
import { entryAt } from '../../rules/draw.ts'
import { type OddsEntry, oddsThresholds, type TableEntry } from '../../rules/odds.ts'
import { Unavailable } from '../../rules/refusal.ts'

/** What opens the seeds that are not revealed yet. */
export type OpensSeeds = Pick<ServerSeeds, 'open'>

const batchSize = 500
const pairBatchSize = 2_000

const readBatch = statement(
  'read_draws_to_check',
  `SELECT r.id, r.odds_table_id, r.first_nonce, r.quantity, r.seed_pair_id, s.server_seed,
     s.sealed_server_seed, s.client_seed, s.scheme,
     (SELECT jsonb_agg(jsonb_build_array(o.id, o.nonce, o.prize_id, o.sold_out_prize_id,
        o.stock_after) ORDER BY o.nonce)
      FROM all_pack_openings o WHERE o.request_id = r.id) AS drawn
   FROM opening_requests r JOIN seed_pairs s ON s.id = r.seed_pair_id
   WHERE r.id > $1 ORDER BY r.id LIMIT ${batchSize}`,
)
const readTables = statement('read_all_odds_tables', 'SELECT id, table_hash, body FROM odds_tables')
const readCommitments = statement(
  'read_commitments_to_check',
  `SELECT id, server_seed AS "serverSeed", sealed_server_seed AS "sealedServerSeed",
     server_seed_hash AS commitment
   FROM seed_pairs WHERE id > $1 ORDER BY id LIMIT ${pairBatchSize}`,
)

type DrawnRow = readonly [
  openingId: number,
  nonce: number,
  prizeId: number | null,
  soldOutPrizeId: number | null,
  stockAfter: number | null,
]

interface BatchRow {
  readonly id: string
  readonly odds_table_id: number
  readonly first_nonce: number
  readonly quantity: number
  readonly seed_pair_id: number
  readonly server_seed: string | null
  readonly sealed_server_seed: KeptSeed['sealedServerSeed']
  readonly client_seed: string
  readonly scheme: RollScheme
  readonly drawn: readonly DrawnRow[] | null
}

/** An entry as its table has it; those of scheme 1 do not say which prizes were limited. */
type ListedPrize = OddsEntry & Partial<Pick<TableEntry, 'limited'>>

interface Table {
  readonly hash: string
  readonly entries: readonly ListedPrize[]
  readonly thresholds: readonly number[]
}

/**
 * Openings whose prize (won or sold out) is not the one that HMAC, nonce and thresholds give, or
 * which say of the stock what their odds table cannot mean.
 */
export async function findForgedDraws(
  db: Queryable,
  seeds: OpensSeeds,
): Promise<{ opening_id: number }[]> {
  const tables = new Map<number, Table>()
  const rows = await db.run<{ id: number; table_hash: string; body: string }>(readTables, [])
  for (const { id, table_hash, body } of rows) {
    const { entries } = JSON.parse(body) as { entries: ListedPrize[] }
    tables.set(id, { hash: table_hash, entries, thresholds: oddsThresholds(entries) })
  }
  const forged: { opening_id: number }[] = []
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const batch = await db.run<BatchRow>(readBatch, [after])
    for (const row of batch) forged.push(...forgedIn(row, tables.get(row.odds_table_id), seeds))
    const last = batch.at(-1)
    if (last === undefined) return forged
    after = last.id
  }
}

function forgedIn(
  row: BatchRow,
  table: Table | undefined,
  seeds: OpensSeeds,
): { opening_id: number }[] {
  const { scheme, client_seed: clientSeed, first_nonce: firstNonce, quantity } = row
  const serverSeed = openedSeed(seeds, {
    id: row.seed_pair_id,
    serverSeed: row.server_seed,
    sealedServerSeed: row.sealed_server_seed,
  })
  const drawn = row.drawn ?? []
  if (table === undefined || serverSeed === undefined) {
    return drawn.map(([openingId]) => ({ opening_id: openingId }))
  }
  const rolls = fairRolls({ scheme, serverSeed, clientSeed }, table.hash, firstNonce, quantity)
  return drawn.flatMap((opening) => {
    const roll = rolls[opening[1] - firstNonce]
    const isTrue = roll !== undefined && isDrawnBy(roll, table, opening)
    return isTrue ? [] : [{ opening_id: opening[0] }]
  })
}

function isDrawnBy(roll: number, table: Table, drawn: DrawnRow): boolean {
  const [, , prizeId, soldOutPrizeId, stockAfter] = drawn
  const index = entryAt(table.thresholds, roll)
  const entry = index === undefined ? undefined : table.entries[index]
  if ((entry?.prizeId ?? null) !== (prizeId ?? soldOutPrizeId)) return false
  if (entry?.limited === undefined) return stockAfter === null
  if (soldOutPrizeId !== null) return entry.limited && stockAfter === 0
  return entry.limited === (stockAfter !== null)
}

function openedSeed(seeds: OpensSeeds, kept: KeptSeed): string | undefined {
  try {
    return seeds.open(kept)
  } catch (error) {
    if (error instanceof Unavailable) return undefined
    throw error
  }
}

/** Pairs whose commitment is not the hash of their seed, or whose seed cannot be opened. */
export async function findFalseCommitments(
  db: Queryable,
  seeds: OpensSeeds,
): Promise<{ seed_pair_id: number }[]> {
  const found: { seed_pair_id: number }[] = []
  let after = 0
  for (;;) {
    const batch = await db.run<KeptSeed & { commitment: string }>(readCommitments, [after])
    for (const { commitment, ...kept } of batch) {
      const seed = openedSeed(seeds, kept)
      if (seed === undefined || seedCommitment(seed) !== commitment) {
        found.push({ seed_pair_id: kept.id })
      }
    }
    const last = batch.at(-1)
    if (last === undefined) return found
    after = last.id
  }
}
