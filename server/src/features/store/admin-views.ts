// Listings as staff see them.

import type { AdminListing } from '@redpack/contract'
import { asc, eq, isNull, sql } from 'drizzle-orm'
import type { Queryable } from '../../adapters/db/database.ts'
import { storePackListings as listings } from '../../adapters/db/schema-books.ts'
import { packTypes } from '../../adapters/db/schema-packs.ts'

const listingsMax = 1_000

const { imageUrl, imageData } = packTypes
const hasImage = sql<boolean>`${imageUrl} IS NOT NULL OR ${imageData} IS NOT NULL`

/** Every listing that is not deleted, by sort order then id; at most 1,000. */
export async function listingsForStaff(db: Queryable): Promise<AdminListing[]> {
  const rows = await db.orm
    .select({
      id: listings.id,
      packTypeId: listings.packTypeId,
      redCoinPrice: listings.redCoinPrice,
      customImage: listings.customImage,
      quantityAvailable: listings.quantityAvailable,
      isUnlimited: listings.isUnlimited,
      isActive: listings.isActive,
      sortOrder: listings.sortOrder,
      createdAt: listings.createdAt,
      updatedAt: listings.updatedAt,
      packType: {
        id: packTypes.id,
        name: packTypes.name,
        description: packTypes.description,
        icon: packTypes.icon,
        color: packTypes.color,
        imageUrl: packTypes.imageUrl,
        hasImage,
      },
    })
    .from(listings)
    .innerJoin(packTypes, eq(packTypes.id, listings.packTypeId))
    .where(isNull(listings.archivedAt))
    .orderBy(asc(listings.sortOrder), asc(listings.id))
    .limit(listingsMax)
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }))
}
