// What the store shows to players.

import type { Listing } from '@redpack/contract'
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Queryable } from '../../adapters/db/database.ts'
import { storePackListings as listings } from '../../adapters/db/schema-books.ts'
import { packTypes } from '../../adapters/db/schema-packs.ts'

const listingsMax = 500

/** Active listings whose pack type still exists, by sort order then id. */
export async function listingsForPlayers(db: Queryable): Promise<Listing[]> {
  return db.orm
    .select({
      id: listings.id,
      packTypeId: listings.packTypeId,
      redCoinPrice: listings.redCoinPrice,
      customImage: listings.customImage,
      quantityAvailable: listings.quantityAvailable,
      isUnlimited: listings.isUnlimited,
      sortOrder: listings.sortOrder,
      packType: {
        id: packTypes.id,
        name: packTypes.name,
        description: packTypes.description,
        icon: packTypes.icon,
        color: packTypes.color,
        imageUrl: packTypes.imageUrl,
        imageData: packTypes.imageData,
        imageType: packTypes.imageType,
      },
    })
    .from(listings)
    .innerJoin(packTypes, and(eq(packTypes.id, listings.packTypeId), isNull(packTypes.archivedAt)))
    .where(and(eq(listings.isActive, true), isNull(listings.archivedAt)))
    .orderBy(asc(listings.sortOrder), asc(listings.id))
    .limit(listingsMax)
}
