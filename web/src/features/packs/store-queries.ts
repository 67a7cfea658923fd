// What the store feature asks the server: the listings, and buying from them.

import { type Listing, type PurchaseRequest, storeContract } from '@redpack/contract'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { ApiError, isOutcomeUnknown, messageOf } from '../../lib/api-error.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { newIdempotencyKey, useAct } from '../../lib/use-call.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { announceBalance, cacheBalance } from '../session/balance-queries.ts'
import { holdingsQuery } from './stats-queries.ts'

export const purchaseFailure = 'Failed to purchase packs'

const listingsQuery = endpointQuery(storeContract.listings, { shows: ['listings'], empty: [] })

/** The listings as they are now: asked for on mount and whenever the window gets the focus. */
export function useListings() {
  return useQuery<Listing[]>({
    ...listingsQuery,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })
}

/** True when nothing was bought because the price is another than the one that was named. */
export function isPriceChange(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'price_changed'
}

function send({ order, key }: SentPurchase) {
  return call(storeContract.purchase, { body: order, idempotencyKey: key })
}

/** The listing as it is now; undefined once it is gone. */
export async function loadListing(
  queryClient: QueryClient,
  listingId: number,
): Promise<Listing | undefined> {
  const listings = await queryClient.fetchQuery<Listing[]>({
    ...listingsQuery,
    staleTime: 0,
  })
  return listings.find(({ id }) => id === listingId)
}

/**
 * Buys packs of a listing and says how it went, but for another price: that is the caller's to say.
 * After an answer the new balance is broadcast and cached; the holdings are asked for after a
 * failure too.
 */
export function usePurchase() {
  const queryClient = useQueryClient()
  const [intent] = useState(createPurchaseIntent)
  return useAct({
    mutationFn: async (wanted: PurchaseOrder) => {
      const sent = intent.sentFor(wanted)
      try {
        return await send(sent)
      } catch (error) {
        // The unanswered order was never carried out; the buyer has agreed to the new price by now.
        if (!isPriceChange(error) || sent.order.expectedPrice === wanted.expectedPrice) throw error
        intent.settle()
        return send(intent.sentFor(wanted))
      }
    },
    onSuccess: ({ updatedBalance }) => {
      intent.settle()
      announceBalance(updatedBalance)
      cacheBalance(queryClient, updatedBalance)
      toast({
        title: 'Purchase Successful!',
        description: 'Packs have been added to your inventory.',
      })
    },
    onError: (error) => {
      if (!isOutcomeUnknown(error)) intent.settle()
      if (isPriceChange(error)) return
      toast({
        title: 'Purchase Failed',
        description: messageOf(error, purchaseFailure),
        variant: 'destructive',
        detail: error.message,
      })
    },
    // No part of the store shows the holdings, so nobody else would ask for them now.
    onSettled: () => void queryClient.prefetchQuery({ ...holdingsQuery, staleTime: 0 }),
  })
}

export type PurchaseOrder = Pick<
  PurchaseRequest,
  'storePackListingId' | 'quantity' | 'expectedPrice'
>

/** What to send: an order and the `Idempotency-Key` it belongs to. */
interface SentPurchase {
  readonly order: PurchaseOrder
  readonly key: string
}

/**
 * An order that was sent and never answered keeps its key and its price, so that sending it again
 * buys nothing twice, even when the price has changed since. Another listing or quantity is another
 * intention.
 */
export function createPurchaseIntent() {
  let open: SentPurchase | null = null
  return {
    /** What to send for an order, which may be one that was sent before. */
    sentFor(order: PurchaseOrder): SentPurchase {
      const isSame =
        open?.order.storePackListingId === order.storePackListingId &&
        open.order.quantity === order.quantity
      if (!open || !isSame) open = { order, key: newIdempotencyKey() }
      return open
    },
    /** The order was answered: the same order is a new intention from now on. */
    settle(): void {
      open = null
    },
  }
}
