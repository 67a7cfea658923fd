// Buying packs: RedCoin goes, stock goes, packs come, all in one transaction.

import { redCoinMax } from '@redpack/contract/limits'
import type { Queryable } from '../../adapters/db/database.ts'
import { type OnceAnswer, once } from '../../adapters/db/once.ts'
import type { World } from '../../adapters/world.ts'
import { invariant, Refusal } from '../../rules/refusal.ts'
import { changeBalance, changeHolding, lockUser } from '../ledger/tables.ts'
import { type ListingForSale, readListing, recordPurchase, takeListingStock } from './tables.ts'

export interface PurchaseOrder {
  readonly listingId: number
  /** 1 or more. */
  readonly quantity: number
  /** The unit price that the buyer was shown; undefined when the caller names none. */
  readonly expectedPrice?: number | undefined
  readonly idempotencyKey: string | undefined
}

interface Purchased {
  readonly success: true
  readonly message: string
  /** The buyer's RedCoin after the purchase. */
  readonly updatedBalance: number
}

const shown = new Intl.NumberFormat('en')

/**
 * Buys packs for a user. Checks in the order price, balance, stock.
 * @throws Refusal not_found, price_changed, insufficient_redcoin, not_enough_stock,
 * idempotency_mismatch
 */
export async function purchasePacks(
  world: World,
  userId: number,
  order: PurchaseOrder,
): Promise<OnceAnswer<Purchased>> {
  const now = world.clock.now()
  const { listingId, quantity, expectedPrice } = order
  const call = {
    userId,
    route: 'POST /api/store/purchase',
    key: order.idempotencyKey,
    input:
      expectedPrice === undefined ? [listingId, quantity] : [listingId, quantity, expectedPrice],
    now,
  }
  const answer = await once(world.db, call, (tx) => buy(tx, userId, order, now))
  if (!answer.replayed) {
    world.events.publish({ type: 'user_changed', userId })
    world.events.publish({ type: 'holdings_changed', userId })
    world.events.publish({ type: 'catalogue_changed', what: 'listings' })
    world.events.publish({ type: 'leaderboard_changed' })
  }
  return answer
}

async function buy(
  tx: Queryable,
  userId: number,
  order: PurchaseOrder,
  now: Date,
): Promise<Purchased> {
  const { quantity } = order
  const person = await lockUser(tx, userId)
  if (person === undefined) throw new Refusal('unauthorized', 'Unauthorized')
  const listing = await readListing(tx, order.listingId)
  if (listing === undefined) throw new Refusal('not_found', 'Listing not found')
  const { expectedPrice = listing.price } = order
  if (listing.price !== expectedPrice) {
    throw new Refusal(
      'price_changed',
      `The price is ${shown.format(listing.price)} RedCoin now. Nothing was bought.`,
    )
  }
  const cost = payable(listing, quantity, person.red_coin_balance)
  if (!listing.isUnlimited && listing.available < quantity) throw notEnough(listing.available)
  const purchaseId = await recordPurchase(tx, { userId, listing, quantity, cost, now })
  const source = { sourceType: 'purchase', sourceId: String(purchaseId), now }
  const description = `Bought ${shown.format(quantity)} ${listing.packName}`
  const change = { userId, description, ...source }
  const balance = await changeBalance(tx, { ...change, amount: -cost, type: 'store_purchase' })
  invariant(balance !== undefined, 'a locked balance that covered the cost still does')
  const { packTypeId } = listing
  await changeHolding(tx, { ...change, packTypeId, delta: quantity, type: 'purchase' })
  await takeStock(tx, listing, quantity, purchaseId, now)
  return { success: true, message: 'Purchase successful', updatedBalance: balance }
}

async function takeStock(
  tx: Queryable,
  listing: ListingForSale,
  quantity: number,
  purchaseId: number,
  now: Date,
): Promise<void> {
  if (listing.isUnlimited) return
  if (await takeListingStock(tx, { listingId: listing.id, quantity, purchaseId, now })) return
  // Somebody else bought since the listing was read: say what is left now.
  const current = await readListing(tx, listing.id)
  if (current === undefined) throw new Refusal('not_found', 'Listing not found')
  throw notEnough(current.available)
}

function notEnough(available: number): Refusal {
  return new Refusal('not_enough_stock', `Only ${shown.format(available)} packs available.`)
}

/**
 * Price times quantity, refused when the balance does not cover it; counted beyond 2^53 if need be.
 */
function payable(listing: ListingForSale, quantity: number, balance: number): number {
  const cost = BigInt(listing.price) * BigInt(quantity)
  if (cost > BigInt(balance) || cost > BigInt(redCoinMax)) {
    throw new Refusal(
      'insufficient_redcoin',
      `You need ${shown.format(cost)} RedCoin but only have ${shown.format(balance)}.`,
    )
  }
  return Number(cost)
}
