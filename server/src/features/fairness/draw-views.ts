// What players see of draws: odds, openings with all that decided them, and proofs.

import type {
  FairOpening,
  FairOpeningsResponse,
  OddsResponse,
  OddsTable,
  OpeningProof,
} from '@redpack/contract'
import { chancesOf, tableHash, tableText } from '@redpack/fair/odds'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { nodeHashing, sha256Hex } from '../../adapters/random/hashing.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { type JsonText, trustedJson } from '../../shared/json-text.ts'
import { consolationNow } from '../settings/consolation-sql.ts'

const readOdds = statement(
  'read_odds_of_pack_type',
  `SELECT t.id AS pack_type_id, p.id, p.name, p.win_frequency, p.total_packs, p.red_coin_amount,
     CASE WHEN p.pack_quantity > 0 THEN p.pack_type_id END AS reward_pack_type_id,
     CASE WHEN p.pack_type_id IS NULL THEN 0 ELSE p.pack_quantity END AS reward_pack_quantity,
     p.inventory_quantity,
     ${consolationNow} AS consolation
   FROM pack_types t
   LEFT JOIN (prize_pack_types x JOIN prizes p ON p.id = x.prize_id AND p.is_active
     AND p.archived_at IS NULL) ON x.pack_type_id = t.id
   WHERE t.id = $1 AND t.archived_at IS NULL
   ORDER BY p.id`,
)

interface OddsRow {
  readonly pack_type_id: number
  readonly id: number | null
  readonly name: string
  readonly win_frequency: number
  readonly total_packs: number
  readonly red_coin_amount: number
  readonly reward_pack_type_id: number | null
  readonly reward_pack_quantity: number
  readonly inventory_quantity: number | null
  readonly consolation: number
}

/**
 * The real chances of a pack type as the next draw would use them. A sold-out prize keeps its
 * entry, and its share counts as no prize.
 * @throws DomainError not_found
 */
export async function oddsOf(db: Queryable, packTypeId: number): Promise<OddsResponse> {
  const rows = await db.run<OddsRow>(readOdds, [packTypeId])
  const first = rows[0]
  if (first === undefined) throw new DomainError('not_found', 'Pack type not found')
  const prizes = rows.flatMap((row) =>
    row.id === null
      ? []
      : [
          {
            prizeId: row.id,
            name: row.name,
            winFrequency: row.win_frequency,
            totalPacks: row.total_packs,
            redCoinAmount: row.red_coin_amount,
            rewardPackTypeId: row.reward_pack_type_id,
            rewardPackQuantity: row.reward_pack_quantity,
            limited: row.inventory_quantity !== null,
            soldOut: row.inventory_quantity === 0,
          },
        ],
  )
  const { chances, scaled } = chancesOf(prizes)
  const entries = prizes.map((prize, index) => ({ ...prize, chance: chances[index] ?? 0 }))
  const winning = entries.reduce((sum, { chance, soldOut }) => (soldOut ? sum : sum + chance), 0)
  const consolationRedCoin = first.consolation
  return {
    packTypeId,
    tableHash: tableHash(
      tableText({ packTypeId, consolationRedCoin, entries: prizes }),
      nodeHashing,
    ),
    scaled,
    entries,
    noPrizeChance: Math.max(0, 1 - winning),
    consolationRedCoin,
  }
}

const openingColumns = `o.id, o.created_at, o.pack_type_id, o.prize_id, o.sold_out_prize_id,
  o.red_coin_earned, o.request_id, o.position, t.table_hash, r.server_seed, r.entropy,
  r.entropy_from, r.chain_id, r.chain_index`
const openingTables = `JOIN opening_requests r ON r.id = o.request_id
  JOIN odds_tables t ON t.id = r.odds_table_id`

const readOpenings = statement(
  'read_fair_openings',
  `SELECT ${openingColumns} FROM pack_openings o ${openingTables}
   WHERE o.user_id = $1 ORDER BY o.id DESC LIMIT $2 OFFSET $3`,
)
const countOpenings = statement(
  'count_fair_openings',
  'SELECT count(*)::int AS total FROM pack_openings WHERE user_id = $1',
)
const readProof = statement(
  'read_opening_proof',
  `SELECT ${openingColumns}, t.body FROM all_pack_openings o ${openingTables}
   WHERE o.user_id = $1 AND o.id = $2`,
)

interface OpeningRow {
  readonly id: number
  readonly created_at: Date
  readonly pack_type_id: number
  readonly prize_id: number | null
  readonly sold_out_prize_id: number | null
  readonly red_coin_earned: number
  readonly request_id: string
  readonly position: number
  readonly table_hash: string
  readonly server_seed: string
  readonly entropy: string
  readonly entropy_from: FairOpening['entropyFrom']
  readonly chain_id: number
  readonly chain_index: number
}

function fairOpening(row: OpeningRow): FairOpening {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    packTypeId: row.pack_type_id,
    prizeId: row.prize_id,
    soldOut: row.sold_out_prize_id !== null,
    soldOutPrizeId: row.sold_out_prize_id,
    redCoinEarned: row.red_coin_earned,
    requestId: row.request_id,
    position: row.position,
    tableHash: row.table_hash,
    // Of a request whose seed was told there is nothing else that a commitment could be.
    commitment: sha256Hex(Buffer.from(row.server_seed, 'hex')),
    serverSeed: row.server_seed,
    entropy: row.entropy,
    entropyFrom: row.entropy_from,
    chainId: row.chain_id,
    index: row.chain_index,
  }
}

/** One page of the caller's openings, newest first. A page past the end is empty. */
export async function fairOpenings(
  db: Queryable,
  userId: number,
  page: number,
  limit: number,
): Promise<FairOpeningsResponse> {
  const [rows, totals] = await Promise.all([
    db.run<OpeningRow>(readOpenings, [userId, limit, (page - 1) * limit]),
    db.run<{ total: number }>(countOpenings, [userId]),
  ])
  const totalItems = totals[0]?.total ?? 0
  const totalPages = Math.ceil(totalItems / limit)
  return {
    openings: rows.map(fairOpening),
    pagination: {
      totalItems,
      totalPages,
      hasPreviousPage: page > 1 && totalItems > 0,
      hasNextPage: page < totalPages,
      page,
      limit,
    },
  }
}

/**
 * The proof file, but for its place in the public log, of one of the caller's openings, also after
 * a statistics reset hid it.
 * @throws DomainError not_found, the same for another user's opening as for none
 */
export async function openingProof(
  db: Queryable,
  userId: number,
  openingId: number,
): Promise<Omit<OpeningProof, 'log'>> {
  const [row] = await db.run<OpeningRow & { readonly body: string }>(readProof, [userId, openingId])
  if (row === undefined) throw new DomainError('not_found', 'Opening not found')
  return { version: 1, opening: fairOpening(row), table: JSON.parse(row.body) as OddsTable }
}

const readTable = statement('read_odds_table', 'SELECT body FROM odds_tables WHERE table_hash = $1')

/**
 * The canonical text of the table with this hash: its bytes are what the hash was taken over.
 * @throws DomainError not_found
 */
export async function oddsTableText(db: Queryable, hash: string): Promise<JsonText<OddsTable>> {
  const rows = await db.run<{ body: string }>(readTable, [hash])
  const row = rows[0]
  if (row === undefined) throw new DomainError('not_found', 'Odds table not found')
  return trustedJson(row.body)
}
