// What the store shows to players.

import type { Listing } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'

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
