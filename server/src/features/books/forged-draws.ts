// Draws every past pack again from its seeds and its odds table, and finds those that differ.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { fairRolls, type RollScheme, seedCommitment } from '../../adapters/random/rolls.ts'
import type { KeptSeed, ServerSeeds } from '../../adapters/random/server-seeds.ts'
import { entryAt } from '../../rules/draw.ts'
import { type OddsEntry, oddsThresholds, type TableEntry } from '../../rules/odds.ts'
import { Unavailable } from '../../shared/domain-error.ts'
import { foundOf, type Invariant, stepOf } from './invariant.ts'

/** What opens the seeds that are not revealed yet. */
export type OpensSeeds = Pick<ServerSeeds, 'open'>

const draws = `SELECT r.odds_table_id, r.first_nonce, r.quantity, r.seed_pair_id, s.server_seed,
     s.sealed_server_seed, s.client_seed, s.scheme,
     (SELECT json_agg(json_build_array(o.id, o.nonce, o.prize_id, o.sold_out_prize_id,
        o.stock_after) ORDER BY o.nonce)
      FROM all_pack_openings o WHERE o.request_id = r.id) AS drawn
   FROM opening_requests r JOIN seed_pairs s ON s.id = r.seed_pair_id`
// In the order of pairs, so that each seed is opened once for many draws.
const readBatch = statement(
  'read_draws_to_check',
  `-- not null: client_seed (a pair has one before its first opening)
   ${draws} WHERE (r.seed_pair_id, r.first_nonce) > ($1, $2)
   ORDER BY r.seed_pair_id, r.first_nonce LIMIT $3`,
)
const readNewDraws = statement(
  'read_new_draws_to_check',
  `-- not null: client_seed (a pair has one before its first opening)
   ${draws} WHERE r.id = ANY ($1::text[]::uuid[]) ORDER BY r.seed_pair_id, r.first_nonce`,
)
const readTables = statement(
  'read_odds_tables_to_check',
  'SELECT id, table_hash, body FROM odds_tables WHERE id = ANY ($1::int[])',
)
const readCommitments = statement(
  'read_commitments_to_check',
  `SELECT id, server_seed AS "serverSeed", sealed_server_seed AS "sealedServerSeed",
     server_seed_hash AS commitment
   FROM seed_pairs WHERE id > $1 ORDER BY id LIMIT $2`,
)
const readNewCommitments = statement(
  'read_new_commitments_to_check',
  `SELECT id, server_seed AS "serverSeed", sealed_server_seed AS "sealedServerSeed",
     server_seed_hash AS commitment
   FROM seed_pairs WHERE id = ANY ($1::text[]::int[])`,
)
/** Odds tables that are kept at hand. */
const tablesMax = 1_000
/** Rows that stand in memory at once. */
const requestsMax = 1_000
const pairsMax = 2_000

type DrawnRow = readonly [
  openingId: number,
  nonce: number,
  prizeId: number | null,
  soldOutPrizeId: number | null,
  stockAfter: number | null,
]

interface BatchRow {
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
export function forgedDraws(seeds: OpensSeeds): Invariant {
  const tables = new Map<number, Table>()
  const forgedAmong = async (db: Queryable, batch: readonly BatchRow[]) => {
    await bringTables(db, tables, batch)
    const seedOf = seedsOnce(seeds)
    return batch.flatMap((row) => forgedIn(row, tables.get(row.odds_table_id), seedOf))
  }
  return {
    id: 'I26',
    title: 'every draw is what its seeds and its odds table say',
    async step(db, progress, size) {
      const { pairId = 0, nonce = 0 } = (progress ?? {}) as { pairId?: number; nonce?: number }
      const limit = Math.min(size, requestsMax)
      const batch = await db.run<BatchRow>(readBatch, [pairId, nonce, limit])
      const forged = await forgedAmong(db, batch)
      const last = batch.at(-1)
      const next = last && { part: 'draws', pairId: last.seed_pair_id, nonce: last.first_nonce }
      return stepOf(forged, next)
    },
    newParts: [
      {
        news: ['requestsOfOpenings', 'requestsOfLedger', 'bareRequests'],
        keysMax: requestsMax,
        look: async (db, keys) =>
          foundOf(await forgedAmong(db, await db.run<BatchRow>(readNewDraws, [keys]))),
      },
    ],
  }
}

async function bringTables(
  db: Queryable,
  tables: Map<number, Table>,
  batch: readonly BatchRow[],
): Promise<void> {
  const ids = [...new Set(batch.map((row) => row.odds_table_id))].filter((id) => !tables.has(id))
  if (ids.length === 0) return
  if (tables.size + ids.length > tablesMax) tables.clear()
  // Those that the clearing took away are wanted again.
  const missing = [...new Set(batch.map((row) => row.odds_table_id))].filter(
    (id) => !tables.has(id),
  )
  const rows = await db.run<{ id: number; table_hash: string; body: string }>(readTables, [missing])
  for (const { id, table_hash, body } of rows) {
    const { entries } = JSON.parse(body) as { entries: ListedPrize[] }
    tables.set(id, { hash: table_hash, entries, thresholds: oddsThresholds(entries) })
  }
}

/** Opens the seed of a pair once for all requests that follow each other. */
function seedsOnce(seeds: OpensSeeds): (row: BatchRow) => string | undefined {
  let last: { readonly pairId: number; readonly seed: string | undefined } | undefined
  return (row) => {
    if (last?.pairId !== row.seed_pair_id) {
      const seed = openedSeed(seeds, {
        id: row.seed_pair_id,
        serverSeed: row.server_seed,
        sealedServerSeed: row.sealed_server_seed,
      })
      last = { pairId: row.seed_pair_id, seed }
    }
    return last.seed
  }
}

function forgedIn(
  row: BatchRow,
  table: Table | undefined,
  seedOf: (row: BatchRow) => string | undefined,
): { opening_id: number }[] {
  const { scheme, client_seed: clientSeed, first_nonce: firstNonce, quantity } = row
  const serverSeed = seedOf(row)
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

type CommittedSeed = KeptSeed & { readonly commitment: string }

/** Pairs whose commitment is not the hash of their seed, or whose seed cannot be opened. */
export function falseCommitments(seeds: OpensSeeds): Invariant {
  const falseAmong = (batch: readonly CommittedSeed[]) =>
    batch.flatMap(({ commitment, ...kept }) => {
      const seed = openedSeed(seeds, kept)
      const isTrue = seed !== undefined && seedCommitment(seed) === commitment
      return isTrue ? [] : [{ seed_pair_id: kept.id }]
    })
  return {
    id: 'I25',
    title: 'every published commitment is the hash of its server seed',
    async step(db, progress, size) {
      const after = Number(progress?.['after'] ?? 0)
      const limit = Math.min(size, pairsMax)
      const batch = await db.run<CommittedSeed>(readCommitments, [after, limit])
      const last = batch.at(-1)
      return stepOf(falseAmong(batch), last && { part: 'pairs', after: last.id })
    },
    newParts: [
      {
        news: ['pairs', 'pairsOfOpenings'],
        keysMax: pairsMax,
        look: async (db, keys) =>
          foundOf(falseAmong(await db.run<CommittedSeed>(readNewCommitments, [keys]))),
      },
    ],
  }
}
