// What players see of packs: holdings, types, their openings and totals.

import type { Holding, Listing, Opening, PackType, StatsResponse } from '@redpack/contract'
import { listingsMax, openingsListMax, packTypesMax } from '@redpack/contract/limits'
import type { Queryable } from '../../adapters/db/database.ts'
import { oneQuery, rowsQuery } from '../../adapters/db/queries.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { listedPicture } from '../../shared/list-parameter-sql.ts'

/** Packs held and opened; openings hidden by a statistics reset do not count. */
export const playerStats = oneQuery<StatsResponse, [userId: number]>(
  'read_player_stats',
  `SELECT
     (SELECT coalesce(sum(quantity), 0)::bigint FROM user_packs WHERE user_id = $1) AS "totalPacks",
     (SELECT count(*)::int FROM pack_openings WHERE user_id = $1) AS "packsOpened"`,
)

const readOpenings = rowsQuery<Dated<Opening, 'createdAt'>, [userId: number]>(
  'read_latest_openings',
  `SELECT o.id, o.created_at AS "createdAt",
     CASE WHEN c.id IS NOT NULL THEN json_build_object('id', c.prize_id, 'name', c.prize_name,
       'redCoinAmount', c.red_coin_amount) END AS prize,
     o.red_coin_earned AS "redCoinEarned",
     json_build_object('id', t.id, 'name', t.name) AS "packType"
   FROM pack_openings o
   JOIN pack_types t ON t.id = o.pack_type_id
   LEFT JOIN prize_claims c ON c.pack_opening_id = o.id
   WHERE o.user_id = $1
   ORDER BY o.id DESC LIMIT ${openingsListMax}`,
)

/** The caller's latest openings with what they gave, newest first, at most 100. */
export async function latestOpenings(db: Queryable, userId: number): Promise<Opening[]> {
  return (await readOpenings(db, userId)).map(isoTimes)
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

const readHoldings = rowsQuery<Omit<Holding, 'oddsHash'>, [userId: number]>(
  'read_holdings',
  `SELECT p.pack_type_id AS "packTypeId", p.quantity, json_build_object('id', t.id,
     'name', t.name, 'description', t.description, 'icon', t.icon, 'color', t.color,
     'imageUrl', t.image_url) AS "packType"
   FROM user_packs p
   JOIN pack_types t ON t.id = p.pack_type_id AND t.archived_at IS NULL
   WHERE p.user_id = $1
   ORDER BY p.pack_type_id LIMIT ${packTypesMax}`,
)

/** The caller's holdings, without uploaded images: those stand in the list of types. */
export async function holdingsOf(db: Queryable, userId: number, hashes: OddsHashes) {
  return withHash(await readHoldings(db, userId), hashes, ({ packTypeId }) => packTypeId)
}

const ofType = listedPicture('t', 't.id')
const readTypes = rowsQuery<Omit<PackType, 'oddsHash'>>(
  'read_pack_types_of_players',
  `SELECT t.id, t.name, t.description, t.icon, t.color,
     coalesce(t.image_url, ${ofType.url}) AS "imageUrl", ${ofType.data} AS "imageData",
     t.image_type AS "imageType"
   FROM pack_types t WHERE t.archived_at IS NULL ORDER BY t.id LIMIT ${packTypesMax}`,
)

/** Every pack type that is not archived, by id. */
export async function packTypesForPlayers(db: Queryable, hashes: OddsHashes): Promise<PackType[]> {
  return withHash(await readTypes(db), hashes, ({ id }) => id)
}

const ofListing = listedPicture('t', 'l.sort_order, l.id')

/** Active listings whose pack type still exists, by sort order then id. */
export const listingsForPlayers = rowsQuery<Listing>(
  'read_store_listings',
  `SELECT l.id, l.pack_type_id AS "packTypeId", l.red_coin_price AS "redCoinPrice",
     l.custom_image AS "customImage", l.quantity_available AS "quantityAvailable",
     l.is_unlimited AS "isUnlimited", l.sort_order AS "sortOrder",
     json_build_object('id', t.id, 'name', t.name, 'description', t.description, 'icon', t.icon,
       'color', t.color, 'imageUrl', coalesce(t.image_url, ${ofListing.url}),
       'imageData', ${ofListing.data}, 'imageType', t.image_type) AS "packType"
   FROM store_pack_listings l
   JOIN pack_types t ON t.id = l.pack_type_id AND t.archived_at IS NULL
   WHERE l.is_active AND l.archived_at IS NULL
   ORDER BY l.sort_order, l.id LIMIT ${listingsMax}`,
)
