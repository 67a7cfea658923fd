// SQL on listings as staff change them.

import { type Queryable, statement } from '../../adapters/db/database.ts'

/** What staff enter of a listing but for its stock. */
export interface ListingValues {
  readonly packTypeId: number
  readonly redCoinPrice: number
  readonly customImage: string | null
  readonly isUnlimited: boolean
  readonly isActive: boolean
  readonly sortOrder: number
}

export interface ListingRow extends ListingValues {
  readonly id: number
  /** Kept also while the listing is unlimited, for when it no longer is. */
  readonly quantityAvailable: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly packType: {
    readonly id: number
    readonly name: string
    readonly description: string
    readonly icon: string
    readonly color: string
    readonly imageUrl: string | null
    readonly hasImage: boolean
  }
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

const lock = statement('lock_listing', `${listings} WHERE l.id = $1 FOR NO KEY UPDATE OF l`)

/** The listing as it is now, deleted or not, locked. */
export async function lockListing(tx: Queryable, id: number): Promise<ListingRow | undefined> {
  return (await tx.run<ListingRow>(lock, [id]))[0]
}

const listingsMax = 1_000

const readLive = statement(
  'read_listings_of_staff',
  `${listings} WHERE l.archived_at IS NULL ORDER BY l.sort_order, l.id LIMIT ${listingsMax}`,
)

/** Every listing that is not deleted, by sort order then id; at most 1,000. */
export function readLiveListings(db: Queryable): Promise<ListingRow[]> {
  return db.run<ListingRow>(readLive, [])
}

const insert = statement(
  'insert_listing',
  `INSERT INTO store_pack_listings (pack_type_id, red_coin_price, custom_image, is_unlimited,
     is_active, sort_order, created_at, updated_at)
   VALUES (:packTypeId, :redCoinPrice, :customImage, :isUnlimited, :isActive, :sortOrder,
     :now, :now) RETURNING id`,
)
const update = statement(
  'update_listing',
  `UPDATE store_pack_listings SET pack_type_id = :packTypeId, red_coin_price = :redCoinPrice,
     custom_image = :customImage,
     is_unlimited = :isUnlimited, is_active = :isActive, sort_order = :sortOrder, updated_at = :now
   WHERE id = :id`,
)

/** Adds a listing without stock and answers its id. */
export async function addListing(
  tx: Queryable,
  listing: ListingValues,
  now: Date,
): Promise<number> {
  const rows = await tx.run<{ id: number }>(insert, { ...listing, now })
  const id = rows[0]?.id
  if (id === undefined) throw new Error('A listing was not added')
  return id
}

export async function changeListing(
  tx: Queryable,
  id: number,
  listing: ListingValues,
  now: Date,
): Promise<void> {
  await tx.run(update, { ...listing, id, now })
}

const archive = statement(
  'archive_listing',
  'UPDATE store_pack_listings SET archived_at = $2, updated_at = $3 WHERE id = $1',
)

/** Hides a locked listing, or brings it back. */
export async function setListingArchived(
  tx: Queryable,
  id: number,
  isArchived: boolean,
  now: Date,
): Promise<void> {
  await tx.run(archive, [id, isArchived ? now : null, now])
}
