// SQL on listings and purchases.

import { type Queryable, statement } from '../../adapters/db/database.ts'

export interface ListingForSale {
  readonly id: number
  readonly packTypeId: number
  readonly packName: string
  readonly price: number
  readonly available: number
  readonly isUnlimited: boolean
}

const findListing = statement(
  'find_listing_for_sale',
  `SELECT l.id, l.pack_type_id, t.name, l.red_coin_price, l.quantity_available, l.is_unlimited
   FROM store_pack_listings l
   JOIN pack_types t ON t.id = l.pack_type_id AND t.archived_at IS NULL
   WHERE l.id = $1 AND l.is_active AND l.archived_at IS NULL
   FOR KEY SHARE OF t`,
)

/**
 * An active listing, read without a lock. Its pack type still exists and is not deleted before the
 * transaction ends.
 */
export async function readListing(
  tx: Queryable,
  listingId: number,
): Promise<ListingForSale | undefined> {
  const rows = await tx.run<{
    id: number
    pack_type_id: number
    name: string
    red_coin_price: number
    quantity_available: number
    is_unlimited: boolean
  }>(findListing, [listingId])
  const row = rows[0]
  return row === undefined
    ? undefined
    : {
        id: row.id,
        packTypeId: row.pack_type_id,
        packName: row.name,
        price: row.red_coin_price,
        available: row.quantity_available,
        isUnlimited: row.is_unlimited,
      }
}

const addPurchase = statement(
  'add_purchase',
  `INSERT INTO store_purchases (user_id, store_pack_listing_id, quantity, unit_price, red_coin_cost,
     created_at)
   VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
)

/** Records a purchase and answers its id, the source of everything else that it changes. */
export async function recordPurchase(
  tx: Queryable,
  purchase: {
    readonly userId: number
    readonly listing: ListingForSale
    readonly quantity: number
    readonly cost: number
    readonly now: Date
  },
): Promise<number> {
  const { userId, listing, quantity, cost, now } = purchase
  const rows = await tx.run<{ id: number }>(addPurchase, [
    userId,
    listing.id,
    quantity,
    listing.price,
    cost,
    now,
  ])
  const id = rows[0]?.id
  if (id === undefined) throw new Error('A purchase was not recorded')
  return id
}
