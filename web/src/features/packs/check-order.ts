// The three rules of a purchase, in their order, with the sentences that refuse it.

import type { Listing } from '@redpack/contract'
import { formatNumber } from '../../lib/format.ts'

/** What the rules have to know of a listing. */
export type ListingTerms = Pick<Listing, 'redCoinPrice' | 'isUnlimited' | 'quantityAvailable'>

export interface OrderRefusal {
  readonly title: string
  readonly description: string
}

/** RedCoin that a quantity costs; 0 for none or for a number that cannot be bought. */
export function totalCost(price: number, quantity: number | null): number {
  return quantity !== null && quantity > 0 ? price * quantity : 0
}

/** Packs that can be bought at all, or undefined when there is no end to them. */
export function stockOf({ isUnlimited, quantityAvailable }: ListingTerms): number | undefined {
  return isUnlimited ? undefined : Math.max(0, quantityAvailable)
}

export function isAffordable(terms: ListingTerms, quantity: number | null, balance: number) {
  return totalCost(terms.redCoinPrice, quantity) <= balance
}

/** Why an order cannot be sent: quantity, then balance, then stock. Null when it can. */
export function domainErrorOf(
  terms: ListingTerms,
  quantity: number | null,
  balance: number,
  isMasked = false,
): OrderRefusal | null {
  if (quantity === null || quantity <= 0 || !Number.isInteger(quantity)) {
    return {
      title: 'Invalid Quantity',
      description: 'Please enter a quantity greater than 0.',
    }
  }
  if (!isAffordable(terms, quantity, balance)) {
    const total = formatNumber(totalCost(terms.redCoinPrice, quantity))
    const has = isMasked ? 'have less' : `only have ${formatNumber(balance)}`
    return {
      title: 'Insufficient RedCoin',
      description: `You need ${total} RedCoin but ${has}.`,
    }
  }
  const stock = stockOf(terms)
  if (stock !== undefined && quantity > stock) {
    return {
      title: 'Not Enough Stock',
      description: `Only ${formatNumber(stock)} packs available.`,
    }
  }
  return null
}
