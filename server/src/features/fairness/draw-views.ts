// What players see of draws: odds, openings with all that decided them, proofs, and how the logged
// draws compare with the published odds.

import type { FairOpening, ObservedResponse, OddsResponse, OddsTable } from '@redpack/contract'
import { chancesOf, rollRange, tableHash, tableText, thresholdsOf } from '@redpack/fair/draw'
import { LRUCache } from 'lru-cache'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { oneValueQuery, rowQuery, valueQuery } from '../../adapters/db/queries.ts'
import { nodeHashing } from '../../adapters/random/hashing.ts'
import { observedPackTypes, type TableDraws } from '../../rules/observed-chances.ts'
import { existing } from '../../shared/domain-error.ts'
import { type JsonText, trustedJson } from '../../shared/json-text.ts'
import { consolationNow, deliveryTerms } from '../../shared/odds-sql.ts'
import { paginationOf } from '../../shared/pagination.ts'

const readOdds = statement(
  'read_odds_of_pack_type',
  `SELECT p.id AS "prizeId", p.name, p.win_frequency AS "winFrequency",
     p.total_packs AS "totalPacks", p.red_coin_amount AS "redCoinAmount",
     CASE WHEN p.pack_quantity > 0 THEN p.pack_type_id END AS "rewardPackTypeId",
     CASE WHEN p.pack_type_id IS NULL THEN 0 ELSE p.pack_quantity END AS "rewardPackQuantity",
     p.inventory_quantity IS NOT NULL AS limited, p.delivers_codes AS "deliversCodes",
     coalesce(p.inventory_quantity = 0, false) AS "soldOut", ${deliveryTerms} AS delivery,
     ${consolationNow} AS consolation
   FROM pack_types t
   LEFT JOIN (prize_pack_types x JOIN prizes p ON p.id = x.prize_id AND p.is_active
     AND p.archived_at IS NULL) ON x.pack_type_id = t.id
   WHERE t.id = $1 AND t.archived_at IS NULL
   ORDER BY p.id`,
)

/** A pack type without prizes has one row, whose prize has no id. */
interface OddsRow extends Omit<OddsResponse['entries'][number], 'prizeId' | 'chance'> {
  readonly prizeId: number | null
  readonly consolation: number
}

/** The chances of the next draw; sold out counts as no prize. @throws DomainError not_found */
export async function oddsOf(db: Queryable, packTypeId: number): Promise<OddsResponse> {
  const rows = await db.run<OddsRow>(readOdds, [packTypeId])
  const first = existing(rows[0], 'Pack type not found')
  const prizes = rows.flatMap(({ prizeId, consolation, deliversCodes, ...prize }) =>
    prizeId === null ? [] : [{ prizeId, ...prize, ...(deliversCodes && { deliversCodes }) }],
  )
  const { chances, scaled } = chancesOf(prizes)
  const entries = prizes.map((prize, index) => ({ ...prize, chance: chances[index] ?? 0 }))
  const winning = entries.reduce((sum, { chance, soldOut }) => (soldOut ? sum : sum + chance), 0)
  const consolationRedCoin = first.consolation
  const table = tableText({ packTypeId, consolationRedCoin, entries: prizes })
  const noPrizeChance = Math.max(0, 1 - winning)
  const hash = tableHash(table, nodeHashing)
  return { packTypeId, tableHash: hash, scaled, entries, noPrizeChance, consolationRedCoin }
}

const openingColumns = `o.id, o.pack_type_id AS "packTypeId",
  o.prize_id AS "prizeId", o.sold_out_prize_id IS NOT NULL AS "soldOut",
  o.sold_out_prize_id AS "soldOutPrizeId", o.red_coin_earned AS "redCoinEarned",
  o.request_id AS "requestId", o.position, t.table_hash AS "tableHash",
  encode(sha256(decode(r.server_seed, 'hex')), 'hex') AS commitment,
  r.server_seed AS "serverSeed", r.entropy, r.entropy_from AS "entropyFrom",
  r.chain_id AS "chainId", r.chain_index AS index,
  to_char(o.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt"`
const openingTables = `JOIN opening_requests r ON r.id = o.request_id
  JOIN odds_tables t ON t.id = r.odds_table_id`

const readOpenings = statement(
  'read_fair_openings',
  `SELECT ${openingColumns} FROM pack_openings o ${openingTables}
   WHERE o.user_id = $1 ORDER BY o.id DESC LIMIT $2 OFFSET $3`,
)
const countOpenings = oneValueQuery<{ total: number }, [userId: number]>(
  'count_fair_openings',
  'SELECT count(*)::int AS total FROM pack_openings WHERE user_id = $1',
)
const readProof = rowQuery<
  FairOpening & { readonly body: string },
  [userId: number, openingId: number]
>(
  'read_opening_proof',
  `SELECT ${openingColumns}, t.body FROM all_pack_openings o ${openingTables}
   WHERE o.user_id = $1 AND o.id = $2`,
)

/** One page of the caller's openings, newest first. A page past the end is empty. */
export async function fairOpenings(db: Queryable, userId: number, page: number, limit: number) {
  const [openings, total] = await Promise.all([
    db.run<FairOpening>(readOpenings, [userId, limit, (page - 1) * limit]),
    countOpenings(db, userId),
  ])
  return { openings, pagination: paginationOf(total, { page, limit }) }
}

/**
 * The proof file, but for its place in the public log, of one of the caller's openings, also after
 * a statistics reset hid it.
 * @throws DomainError not_found, the same for another user's opening as for none
 */
export async function openingProof(db: Queryable, userId: number, openingId: number) {
  const row = existing(await readProof(db, userId, openingId), 'Opening not found')
  const { body, ...opening } = row
  return { version: 1 as const, opening, table: JSON.parse(body) as OddsTable }
}

const readTable = valueQuery<{ body: string }, [hash: string]>(
  'read_odds_table',
  'SELECT body FROM odds_tables WHERE table_hash = $1',
)

/** The very text that the hash was taken over. @throws DomainError not_found */
export async function oddsTableText(db: Queryable, hash: string): Promise<JsonText<OddsTable>> {
  const body = existing(await readTable(db, hash), 'Odds table not found')
  return trustedJson(body)
}

// Tables without draws too, in the order in which they came: the comparison counts prizes by it.
const readCounts = statement(
  'read_draw_counts',
  `SELECT t.pack_type_id AS "packTypeId", k.name, t.table_hash AS hash,
     (SELECT coalesce(jsonb_agg(jsonb_build_array(c.prize_id, c.wins, c.sold_out)), '[]')
      FROM draw_counts c WHERE c.odds_table_id = t.id) AS counts
   FROM odds_tables t
   JOIN pack_types k ON k.id = t.pack_type_id
   ORDER BY t.id`,
)

interface CountsRow extends Omit<TableDraws, 'entries'> {
  readonly name: string
  readonly hash: string
}

/** The entries of tables by their hashes, which name them for ever. */
export type KnownEntries = LRUCache<string, TableDraws['entries']>
const entriesMax = 200_000
export const noEntries = (): KnownEntries =>
  new LRUCache({ maxSize: entriesMax, sizeCalculation: (entries) => entries.length + 1 })

/**
 * With each share as what it is of the rolls: the chances stay the very same, and their sums no
 * longer take the large fractions that cost most of all this.
 */
function entriesByRolls(body: string): TableDraws['entries'] {
  const { entries } = JSON.parse(body) as OddsTable
  const thresholds = thresholdsOf(entries)
  return entries.map((entry, index) => ({
    ...entry,
    winFrequency: (thresholds[index] ?? 0) - (thresholds[index - 1] ?? 0),
    totalPacks: rollRange,
  }))
}

/** Read one by one, so that others are answered between long ones. */
async function entriesOf(db: Queryable, known: KnownEntries, hash: string) {
  const kept = known.get(hash)
  if (kept !== undefined) return kept
  const entries = entriesByRolls((await readTable(db, hash)) ?? '{"entries":[]}')
  known.set(hash, entries)
  return entries
}

export async function observed(db: Queryable, known: KnownEntries): Promise<ObservedResponse> {
  const rows = await db.run<CountsRow>(readCounts, [])
  const names = new Map(rows.map(({ packTypeId, name }) => [packTypeId, name]))
  const tables: TableDraws[] = []
  for (const row of rows) {
    tables.push({ ...row, entries: await entriesOf(db, known, row.hash) })
  }
  const packTypes = observedPackTypes(tables).map((type) => ({
    ...type,
    name: names.get(type.packTypeId) ?? '',
  }))
  return { packTypes }
}
