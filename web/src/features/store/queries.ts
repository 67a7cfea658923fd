// What the store feature asks the server: the listings, and buying from them.

import { authContract, type Listing, packsContract, storeContract } from '@redpack/contract'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { announceBalance, cacheBalance } from '../../lib/balance.ts'
import { toast } from '../../ui/toast-state.ts'
import { holdingsKey, isOutcomeUnknown } from '../packs/queries.ts'
import { createPurchaseIntent, type PurchaseOrder, type SentPurchase } from './purchase-intent.ts'

export const purchaseFailure = 'Failed to purchase packs'

/** The listings as they are now: asked for on mount and whenever the window gets the focus. */
export function useListings() {
  return useQuery<Listing[] | null, Error, Listing[]>({
    queryKey: [storeContract.listings.path],
    // An answer without a text is null, and offers nothing.
    select: (listings) => listings ?? [],
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })
}

/** What a purchase changes, or may have changed when its answer was lost. */
function refresh(queryClient: QueryClient): void {
  for (const path of [
    authContract.me.path,
    storeContract.listings.path,
    packsContract.stats.path,
  ]) {
    queryClient.invalidateQueries({ queryKey: [path] }).catch(() => undefined)
  }
  // No part of the store shows the holdings, so nobody else would ask for them now.
  void queryClient.prefetchQuery({ queryKey: holdingsKey, staleTime: 0 })
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
    queryKey: [storeContract.listings.path],
    staleTime: 0,
  })
  return listings.find(({ id }) => id === listingId)
}

/**
 * Buys packs of a listing and says how it went. After an answer the new balance is broadcast and
 * cached; user, listings and holdings are asked for again after a failure too.
 */
export function usePurchase() {
  const queryClient = useQueryClient()
  const [intent] = useState(createPurchaseIntent)
  return useMutation({
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
      refresh(queryClient)
      toast({
        title: 'Purchase Successful!',
        description: 'Packs have been added to your inventory.',
      })
    },
    onError: (error) => {
      if (!isOutcomeUnknown(error)) intent.settle()
      refresh(queryClient)
      if (isPriceChange(error)) return
      toast({
        title: 'Purchase Failed',
        description: messageOf(error, purchaseFailure),
        variant: 'destructive',
        detail: error.message,
      })
    },
  })
}
