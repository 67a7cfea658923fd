// Listings as staff see them.

import type { AdminListing } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'

const listingsMax = 1_000

const readListings = statement(
  'read_listings_of_staff',
  `SELECT l.id, l.pack_type_id AS "packTypeId", l.red_coin_price AS "redCoinPrice",
     l.custom_image AS "customImage", l.quantity_available AS "quantityAvailable",
     l.is_unlimited AS "isUnlimited", l.is_active AS "isActive", l.sort_order AS "sortOrder",
     l.created_at AS "createdAt", l.updated_at AS "updatedAt", t.name, t.description, t.icon,
     t.color, t.image_url AS "imageUrl",
     t.image_url IS NOT NULL OR t.image_data IS NOT NULL AS "hasImage"
   FROM store_pack_listings l JOIN pack_types t ON t.id = l.pack_type_id
   WHERE l.archived_at IS NULL
   ORDER BY l.sort_order, l.id LIMIT ${listingsMax}`,
)

type Row = Omit<AdminListing, 'packType' | 'createdAt' | 'updatedAt'> &
  Omit<AdminListing['packType'], 'id'> & { readonly createdAt: Date; readonly updatedAt: Date }

/** Every listing that is not deleted, by sort order then id; at most 1,000. */
export async function listingsForStaff(db: Queryable): Promise<AdminListing[]> {
  const rows = await db.run<Row>(readListings, [])
  return rows.map((row) => {
    const { name, description, icon, color, imageUrl, hasImage, ...listing } = row
    return {
      ...listing,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      packType: { id: row.packTypeId, name, description, icon, color, imageUrl, hasImage },
    }
  })
}
