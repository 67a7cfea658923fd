// What players see of packs: holdings, types, their openings and totals.

import type { Holding, Listing, Opening, PackType, StatsResponse } from '@redpack/contract'
import { openingsListMax } from '@redpack/contract/limits'
import { type Queryable, statement } from '../../adapters/db/database.ts'

const packTypesMax = 500

const readStats = statement(
  'read_player_stats',
  `SELECT
     (SELECT coalesce(sum(quantity), 0)::bigint FROM user_packs WHERE user_id = $1) AS "totalPacks",
     (SELECT count(*)::int FROM pack_openings WHERE user_id = $1) AS "packsOpened"`,
)

/** Packs held and opened; openings hidden by a statistics reset do not count. */
export async function playerStats(db: Queryable, userId: number): Promise<StatsResponse> {
  const rows = await db.run<StatsResponse>(readStats, [userId])
  return rows[0] ?? { totalPacks: 0, packsOpened: 0 }
}

const readOpenings = statement(
  'read_latest_openings',
  `SELECT o.id, o.created_at AS "createdAt", o.red_coin_earned AS "redCoinEarned", t.id AS "packTypeId", t.name AS "packTypeName",
     c.prize_id AS "prizeId", c.prize_name AS "prizeName", c.red_coin_amount AS "redCoinAmount"
   FROM pack_openings o
   JOIN pack_types t ON t.id = o.pack_type_id
   LEFT JOIN prize_claims c ON c.pack_opening_id = o.id
   WHERE o.user_id = $1
   ORDER BY o.id DESC LIMIT ${openingsListMax}`,
)

interface OpeningRow {
  readonly id: number
  readonly createdAt: Date
  readonly redCoinEarned: number
  readonly packTypeId: number
  readonly packTypeName: string
  /** These three are null where the pack was lost. */
  readonly prizeId: number | null
  readonly prizeName: string | null
  readonly redCoinAmount: number | null
}

/** The caller's latest openings with what they gave, newest first, at most 100. */
export async function latestOpenings(db: Queryable, userId: number): Promise<Opening[]> {
  const rows = await db.run<OpeningRow>(readOpenings, [userId])
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    prize: prizeOf(row),
    redCoinEarned: row.redCoinEarned,
    packType: { id: row.packTypeId, name: row.packTypeName },
  }))
}

function prizeOf({ prizeId: id, prizeName: name, redCoinAmount }: OpeningRow): Opening['prize'] {
  const isLost = id === null || name === null || redCoinAmount === null
  return isLost ? null : { id, name, redCoinAmount }
}

/** Hashes of the odds in force, by pack type id. */
type OddsHashes = ReadonlyMap<number, string>

/** A pack type that was made after the hashes were read has none, and waits for the next answer. */
function withHash<Row>(rows: readonly Row[], hashes: OddsHashes, idOf: (row: Row) => number) {
  return rows.flatMap((row) => {
    const oddsHash = hashes.get(idOf(row))
    return oddsHash === undefined ? [] : [{ ...row, oddsHash }]
  })
}

const readHoldings = statement(
  'read_holdings',
  `SELECT p.pack_type_id AS "packTypeId", p.quantity, t.name, t.description, t.icon, t.color,
     t.image_url AS "imageUrl"
   FROM user_packs p
   JOIN pack_types t ON t.id = p.pack_type_id AND t.archived_at IS NULL
   WHERE p.user_id = $1
   ORDER BY p.pack_type_id LIMIT ${packTypesMax}`,
)

type HoldingRow = Pick<Holding, 'packTypeId' | 'quantity'> & Omit<Holding['packType'], 'id'>

/** The caller's holdings, without uploaded images: those stand in the list of types. */
export async function holdingsOf(
  db: Queryable,
  userId: number,
  hashes: OddsHashes,
): Promise<Holding[]> {
  const rows = await db.run<HoldingRow>(readHoldings, [userId])
  const holdings = rows.map(({ packTypeId, quantity, ...looks }) => ({
    packTypeId,
    quantity,
    packType: { id: packTypeId, ...looks },
  }))
  return withHash(holdings, hashes, ({ packTypeId }) => packTypeId)
}

const readTypes = statement(
  'read_pack_types_of_players',
  `SELECT t.id, t.name, t.description, t.icon, t.color, t.image_url AS "imageUrl",
     t.image_data AS "imageData", t.image_type AS "imageType"
   FROM pack_types t WHERE t.archived_at IS NULL ORDER BY t.id LIMIT ${packTypesMax}`,
)

/** Every pack type that is not archived, by id. */
export async function packTypesForPlayers(db: Queryable, hashes: OddsHashes): Promise<PackType[]> {
  const rows = await db.run<Omit<PackType, 'oddsHash'>>(readTypes, [])
  return withHash(rows, hashes, ({ id }) => id)
}

const listingsMax = 500

const readListings = statement(
  'read_store_listings',
  `SELECT l.id, l.pack_type_id AS "packTypeId", l.red_coin_price AS "redCoinPrice",
     l.custom_image AS "customImage", l.quantity_available AS "quantityAvailable",
     l.is_unlimited AS "isUnlimited", l.sort_order AS "sortOrder", t.name, t.description, t.icon,
     t.color, t.image_url AS "imageUrl", t.image_data AS "imageData", t.image_type AS "imageType"
   FROM store_pack_listings l
   JOIN pack_types t ON t.id = l.pack_type_id AND t.archived_at IS NULL
   WHERE l.is_active AND l.archived_at IS NULL
   ORDER BY l.sort_order, l.id LIMIT ${listingsMax}`,
)

type Row = Omit<Listing, 'packType'> & Omit<Listing['packType'], 'id'>

/** Active listings whose pack type still exists, by sort order then id. */
export async function listingsForPlayers(db: Queryable): Promise<Listing[]> {
  const rows = await db.run<Row>(readListings, [])
  return rows.map((row) => {
    const { name, description, icon, color, imageUrl, imageData, imageType, ...listing } = row
    const looks = { name, description, icon, color, imageUrl, imageData, imageType }
    return { ...listing, packType: { id: listing.packTypeId, ...looks } }
  })
}
