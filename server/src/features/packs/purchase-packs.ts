// Buying packs: RedCoin goes, stock goes, packs come, all in one transaction.

import { type PurchaseResponse, storeContract } from '@redpack/contract'
import { redCoinMax } from '@redpack/contract/limits'
import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { command } from '../../adapters/http/command.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { requireNotSuspended } from '../../rules/roles.ts'
import { DomainError, existing, invariant, signedOut } from '../../shared/domain-error.ts'
import { numberText } from '../../shared/number-text.ts'
import {
  changeBalance,
  changeHolding,
  lockUser,
  takeListingStock,
} from '../ledger/ledger-tables.ts'
import {
  type ListingForSale,
  type PurchaseOrder,
  readListing,
  recordPurchase,
} from './purchase-tables.ts'

export function registerPurchases(context: FeatureContext): void {
  command(context, storeContract.purchase, {
    order: ({ body: { storePackListingId: listingId, ...more } }) => ({ listingId, ...more }),
    run: purchasePacks,
  })
}

/**
 * Buys packs for a user. Checks in the order price, balance, stock.
 * @throws DomainError suspended, not_found, price_changed, insufficient_redcoin, not_enough_stock
 */
export async function purchasePacks(
  tx: Queryable,
  { actorId: userId, now }: Author,
  order: PurchaseOrder,
): Promise<Outcome<PurchaseResponse>> {
  const { quantity } = order
  const person = await lockUser(tx, userId)
  if (person === undefined) throw signedOut()
  requireNotSuspended(person.suspension, now)
  const listing = existing(await readListing(tx, order.listingId), 'Listing not found')
  const { expectedPrice = listing.price } = order
  if (listing.price !== expectedPrice) {
    throw new DomainError(
      'price_changed',
      `The price is ${numberText(listing.price)} RedCoin now. Nothing was bought.`,
    )
  }
  const cost = payable(listing, quantity, person.red_coin_balance)
  if (!listing.isUnlimited && listing.available < quantity) throw notEnough(listing.available)
  const { packTypeId, price } = listing
  const bought = { userId, listingId: listing.id, quantity, price, cost, now }
  const purchaseId = await recordPurchase(tx, bought)
  const source = { sourceType: 'purchase', sourceId: String(purchaseId), now }
  const description = `Bought ${numberText(quantity)} ${listing.packName}`
  const change = { userId, description, ...source }
  const balance = await changeBalance(tx, { ...change, amount: -cost, type: 'store_purchase' })
  invariant(balance !== undefined, 'a locked balance that covered the cost still does')
  await changeHolding(tx, { ...change, packTypeId, delta: quantity, type: 'purchase' })
  await takeStock(tx, listing, quantity, purchaseId, now)
  return {
    answer: { success: true, message: 'Purchase successful', updatedBalance: balance },
    events: [
      { type: 'user_changed', userId },
      { type: 'holdings_changed', userId },
      { type: 'catalogue_changed', what: 'listings' },
      { type: 'leaderboard_changed' },
    ],
  }
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
  const current = existing(await readListing(tx, listing.id), 'Listing not found')
  throw notEnough(current.available)
}

function notEnough(available: number): DomainError {
  return new DomainError('not_enough_stock', `Only ${numberText(available)} packs available.`)
}

/**
 * Price times quantity, refused when the balance does not cover it; counted beyond 2^53 if need be.
 */
function payable(listing: ListingForSale, quantity: number, balance: number): number {
  const cost = BigInt(listing.price) * BigInt(quantity)
  if (cost > BigInt(balance) || cost > BigInt(redCoinMax)) {
    throw new DomainError(
      'insufficient_redcoin',
      `You need ${numberText(cost)} RedCoin but only have ${numberText(balance)}.`,
    )
  }
  return Number(cost)
}
