// SQL on listings as staff change them.

import type { AdminListing, CreateListingRequest, SortListingsRequest } from '@redpack/contract'
import { listingsMax } from '@redpack/contract/limits'
import type { Queryable } from '../../adapters/db/database.ts'
import { oneValueQuery, rowQuery, rowsQuery, writeQuery } from '../../adapters/db/queries.ts'
import type { Dated } from '../../shared/iso-times.ts'

/** What staff enter of a listing but for its stock. */
export type ListingValues = Omit<CreateListingRequest, 'quantityAvailable'>
export type ListingPlace = SortListingsRequest['orders'][number]

/** The quantity is kept also while the listing is unlimited, for when it no longer is. */
export type ListingRow = Dated<AdminListing, 'createdAt' | 'updatedAt'> & {
  readonly isArchived: boolean
}

const listings = `SELECT l.id, l.pack_type_id AS "packTypeId", l.red_coin_price AS "redCoinPrice",
     l.custom_image AS "customImage", l.quantity_available AS "quantityAvailable",
     l.is_unlimited AS "isUnlimited", l.is_active AS "isActive", l.sort_order AS "sortOrder",
     l.created_at AS "createdAt", l.updated_at AS "updatedAt",
     l.archived_at IS NOT NULL AS "isArchived",
     json_build_object('id', t.id, 'name', t.name, 'description', t.description, 'icon', t.icon,
       'color', t.color, 'imageUrl', t.image_url,
       'hasImage', t.image_url IS NOT NULL OR t.image_hash IS NOT NULL) AS "packType"
   FROM store_pack_listings l JOIN pack_types t ON t.id = l.pack_type_id`

const lock = writeQuery<[id: number]>(
  'lock_listing',
  'SELECT FROM store_pack_listings WHERE id = $1 FOR NO KEY UPDATE',
)
/** The listing, deleted or not. */
export const readListing = rowQuery<ListingRow, [id: number]>(
  'read_listing_of_staff',
  `${listings} WHERE l.id = $1`,
)

/** The listing as it is now, deleted or not, locked. */
export async function lockListing(tx: Queryable, id: number): Promise<ListingRow | undefined> {
  // A statement that has waited would join the pack type of before.
  await lock(tx, id)
  return readListing(tx, id)
}

/** Every listing that is not deleted, by sort order then id. */
export const readLiveListings = rowsQuery<ListingRow>(
  'read_listings_of_staff',
  `${listings} WHERE l.archived_at IS NULL ORDER BY l.sort_order, l.id LIMIT ${listingsMax}`,
)

type Written = ListingValues & { readonly now: Date }

/** Adds a listing without stock and answers its id. */
export const addListing = oneValueQuery<{ id: number }, [listing: Written]>(
  'insert_listing',
  `INSERT INTO store_pack_listings (pack_type_id, red_coin_price, custom_image, is_unlimited,
     is_active, sort_order, created_at, updated_at)
   VALUES (:packTypeId, :redCoinPrice, :customImage, :isUnlimited, :isActive, :sortOrder,
     :now, :now) RETURNING id`,
)
export const changeListing = writeQuery<[listing: Written & { readonly id: number }]>(
  'update_listing',
  `UPDATE store_pack_listings SET pack_type_id = :packTypeId, red_coin_price = :redCoinPrice,
     custom_image = :customImage,
     is_unlimited = :isUnlimited, is_active = :isActive, sort_order = :sortOrder, updated_at = :now
   WHERE id = :id`,
)

/** Hides a locked listing, or brings it back. */
export const setListingArchived = writeQuery<[id: number, archivedAt: Date | null, now: Date]>(
  'archive_listing',
  'UPDATE store_pack_listings SET archived_at = $2, updated_at = $3 WHERE id = $1',
)
