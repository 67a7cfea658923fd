// Draws every past pack again from its seed, entropy and odds table, and finds those that differ.

import {
  entryAt,
  faultOfResult,
  type OddsTable,
  rollsOf,
  seedBehind,
  thresholdsOf,
} from '@redpack/fair/draw'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { DrawSeeds, KeptSeed } from '../../adapters/random/draw-seeds.ts'
import { nodeHashing } from '../../adapters/random/hashing.ts'
import { foundOf, type Invariant, stepOf } from './invariant.ts'
import { keys } from './keys.ts'

export type OpensSeeds = Pick<DrawSeeds, 'open' | 'keyIds'>

/** What stands in memory at once: requests, chains, and odds tables at hand. */
const [requestsMax, chainsMax, tablesMax] = [1_000, 2_000, 1_000]

const drawsWhere = (condition: string) => `SELECT r.id, r.odds_table_id AS "tableId", r.quantity,
     r.server_seed AS "serverSeed", r.entropy,
     (SELECT json_agg(json_build_array(o.id, o.position, o.prize_id, o.sold_out_prize_id,
        o.stock_after) ORDER BY o.position)
      FROM all_pack_openings o WHERE o.request_id = r.id) AS drawn
   FROM opening_requests r WHERE ${condition}`
const readBatch = statement('read_draws_to_check', drawsWhere('r.id > $1 ORDER BY r.id LIMIT $2'))
const readNewDraws = statement(
  'read_new_draws_to_check',
  drawsWhere('r.id = ANY ($1::text[]::uuid[]) ORDER BY r.id'),
)
const readTables = statement(
  'read_odds_tables_to_check',
  'SELECT id, table_hash AS hash, body FROM odds_tables WHERE id = ANY ($1::int[])',
)
const chains = `-- not null: sealedSeed (see WHERE)
   SELECT id AS "chainId", index, commitment, sealed_seed AS "sealedSeed", end_seed AS "endSeed"
   FROM draw_chains WHERE (sealed_seed IS NOT NULL OR end_seed IS NOT NULL)`
const readCommitments = statement(
  'read_commitments_to_check',
  `${chains} AND id > $1 ORDER BY id LIMIT $2`,
)
const readMarkedKeys = statement(
  'read_keys_that_seal',
  'SELECT key_id AS "keyId" FROM encryption_keys WHERE NOT is_lost LIMIT 100',
)
const readNewCommitments = statement(
  'read_new_commitments_to_check',
  `${chains} AND id = ANY ($1::text[]::int[])`,
)

type DrawnRow = readonly [
  openingId: number,
  position: number,
  prizeId: number | null,
  soldOutPrizeId: number | null,
  stockAfter: number | null,
]

interface DrawRow {
  readonly id: string
  readonly tableId: number
  readonly quantity: number
  readonly serverSeed: string
  readonly entropy: string
  readonly drawn: readonly DrawnRow[] | null
}

interface Table extends OddsTable {
  readonly hash: string
  readonly thresholds: readonly number[]
}

/**
 * Openings whose prize (won or sold out) is not the one that seed, entropy and thresholds give, or
 * which say of the stock what their odds table cannot mean.
 */
export function forgedDraws(): Invariant {
  const tables = new Map<number, Table>()
  const forgedAmong = async (db: Queryable, rows: readonly DrawRow[]) => {
    await bringTables(db, tables, rows)
    return rows.flatMap((row) => forgedIn(row, tables.get(row.tableId)))
  }
  return {
    id: 'I26',
    title: 'every draw is what its seed, its entropy and its odds table say',
    async step(db, progress, size) {
      const after = String(progress?.['after'] ?? '00000000-0000-0000-0000-000000000000')
      const rows = await db.run<DrawRow>(readBatch, [after, Math.min(size, requestsMax)])
      const last = rows.at(-1)
      return stepOf(await forgedAmong(db, rows), last && { part: 'draws', after: last.id })
    },
    newParts: [
      {
        keys: keys.requests,
        keysMax: requestsMax,
        look: async (db, ids) =>
          foundOf(await forgedAmong(db, await db.run<DrawRow>(readNewDraws, [ids]))),
      },
    ],
  }
}

async function bringTables(db: Queryable, tables: Map<number, Table>, rows: readonly DrawRow[]) {
  const missing = () => [...new Set(rows.map((row) => row.tableId))].filter((id) => !tables.has(id))
  // Those that the clearing takes away are wanted again.
  if (tables.size + missing().length > tablesMax) tables.clear()
  if (missing().length === 0) return
  const found = await db.run<{ id: number; hash: string; body: string }>(readTables, [missing()])
  for (const { id, hash, body } of found) {
    const table = JSON.parse(body) as OddsTable
    tables.set(id, { ...table, hash, thresholds: thresholdsOf(table.entries) })
  }
}

function forgedIn(row: DrawRow, table: Table | undefined): { opening_id: number }[] {
  const seed = Buffer.from(row.serverSeed, 'hex')
  const terms = { seed, entropy: row.entropy, tableHash: table?.hash ?? '' }
  const rolls = table ? rollsOf(terms, row.quantity, nodeHashing) : []
  const isForged = ([, position, prizeId, soldOutPrizeId, stockAfter]: DrawnRow) => {
    const roll = rolls[position]
    if (table === undefined || roll === undefined) return true
    // What was paid is compared with the ledger elsewhere.
    const told = { prizeId, soldOutPrizeId, redCoinEarned: 0 }
    if (faultOfResult(table, table.thresholds, roll, told) === 'result') return true
    const entry = table.entries[entryAt(table.thresholds, roll) ?? -1]
    if ((entry?.limited ?? false) !== (stockAfter !== null)) return true
    return soldOutPrizeId !== null && stockAfter !== 0
  }
  return (row.drawn ?? []).filter(isForged).map(([openingId]) => ({ opening_id: openingId }))
}

interface CommittedSeed extends KeptSeed {
  readonly endSeed: string | null
}

/**
 * Chains whose commitment is not the hash of their seed, or whose seed cannot be opened. Of what is
 * sealed with a key that other processes have and this one does not, nothing can be said.
 */
export function falseCommitments(seeds: OpensSeeds): Invariant {
  const isCommitted = ({ endSeed, ...chain }: CommittedSeed) =>
    endSeed === null
      ? seeds.open(chain) !== undefined
      : seedBehind(chain.commitment, endSeed, nodeHashing) !== undefined
  const isOfOthers = ({ endSeed, sealedSeed }: CommittedSeed) =>
    endSeed === null && !seeds.keyIds.includes(sealedSeed.keyId)
  const judge = async (db: Queryable, rows: readonly CommittedSeed[]) => {
    const doubtful = rows.filter((chain) => !isCommitted(chain))
    const marked = doubtful.some(isOfOthers)
      ? await db.run<{ keyId: string }>(readMarkedKeys, [])
      : []
    const isSealedElsewhere = (chain: CommittedSeed) =>
      isOfOthers(chain) && marked.some(({ keyId }) => keyId === chain.sealedSeed.keyId)
    return {
      missing: doubtful.find(isSealedElsewhere)?.sealedSeed.keyId,
      wrong: doubtful
        .filter((chain) => !isSealedElsewhere(chain))
        .map(({ chainId }) => ({ chain_id: chainId })),
    }
  }
  return {
    id: 'I25',
    title: 'every published commitment is the hash of its server seed',
    async step(db, progress, size) {
      const range = [Number(progress?.['after'] ?? 0), Math.min(size, chainsMax)]
      const rows = await db.run<CommittedSeed>(readCommitments, range)
      const last = rows.at(-1)
      const { wrong, missing } = await judge(db, rows)
      if (missing !== undefined) {
        throw new Error(`this process lacks the encryption key ${missing}, which has sealed seeds`)
      }
      return stepOf(wrong, last && { part: 'chains', after: last.chainId })
    },
    newParts: [
      {
        keys: keys.chains,
        keysMax: chainsMax,
        look: async (db, ids) => {
          const rows = await db.run<CommittedSeed>(readNewCommitments, [ids])
          return foundOf((await judge(db, rows)).wrong)
        },
      },
    ],
  }
}
