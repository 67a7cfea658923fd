// SQL on listings and purchases.

import type { PurchaseRequest } from '@redpack/contract'
import { oneValueQuery, rowQuery } from '../../adapters/db/queries.ts'

export interface PurchaseOrder extends Omit<PurchaseRequest, 'storePackListingId'> {
  readonly listingId: number
}

export interface ListingForSale {
  readonly id: number
  readonly packTypeId: number
  readonly packName: string
  readonly price: number
  readonly available: number
  readonly isUnlimited: boolean
}

/**
 * An active listing, read without a lock. Its pack type still exists and is not deleted before the
 * transaction ends.
 */
export const readListing = rowQuery<ListingForSale, [listingId: number]>(
  'find_listing_for_sale',
  `SELECT l.id, l.pack_type_id AS "packTypeId", t.name AS "packName", l.red_coin_price AS price,
     l.quantity_available AS available, l.is_unlimited AS "isUnlimited"
   FROM store_pack_listings l
   JOIN pack_types t ON t.id = l.pack_type_id AND t.archived_at IS NULL
   WHERE l.id = $1 AND l.is_active AND l.archived_at IS NULL
   FOR KEY SHARE OF t`,
)

interface NewPurchase {
  readonly userId: number
  readonly listingId: number
  readonly quantity: number
  readonly price: number
  readonly cost: number
  readonly now: Date
}

/** Records a purchase and answers its id, the source of everything else that it changes. */
export const recordPurchase = oneValueQuery<{ id: number }, [purchase: NewPurchase]>(
  'add_purchase',
  `INSERT INTO store_purchases (user_id, store_pack_listing_id, quantity, unit_price, red_coin_cost,
     created_at)
   VALUES (:userId, :listingId, :quantity, :price, :cost, :now) RETURNING id`,
)
