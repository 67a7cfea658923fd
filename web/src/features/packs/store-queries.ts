// What the store feature asks the server: the listings, and buying from them.

import { type Listing, type PurchaseRequest, storeContract } from '@redpack/contract'
import { type QueryClient, useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { ApiError, isOutcomeUnknown, messageOf } from '../../lib/api-error.ts'
import { keepInTab, keptInTab } from '../../lib/browser-switch.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { streamerMode } from '../../lib/streamer-mode.ts'
import { newIdempotencyKey, useAct } from '../../lib/use-call.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { announceBalance, cacheBalance } from '../session/balance-queries.ts'
import { resendWithinMs } from './opening-records.ts'
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
export function usePurchase(listingId: number) {
  const queryClient = useQueryClient()
  const mutationKey = ['purchase', listingId]
  // Also one that was sent before the buyer went to another screen and came back.
  const isPending = useIsMutating({ mutationKey }) > 0
  const purchase = useAct({
    mutationKey,
    mutationFn: async (wanted: PurchaseOrder) => {
      const sent = purchaseIntent.sentFor(wanted)
      try {
        return await send(sent)
      } catch (error) {
        // The unanswered order was never carried out; the buyer has agreed to the new price by now.
        if (!isPriceChange(error) || sent.order.expectedPrice === wanted.expectedPrice) throw error
        purchaseIntent.settle(wanted)
        return send(purchaseIntent.sentFor(wanted))
      }
    },
    onSuccess: ({ updatedBalance }, order) => {
      purchaseIntent.settle(order)
      announceBalance(updatedBalance)
      cacheBalance(queryClient, updatedBalance)
      toast({
        title: 'Purchase Successful!',
        description: 'Packs have been added to your inventory.',
      })
    },
    onError: (error, order) => {
      if (!isOutcomeUnknown(error)) purchaseIntent.settle(order)
      if (isPriceChange(error)) return
      // The server's sentence names the balance.
      const namesBalance = error instanceof ApiError && error.code === 'insufficient_redcoin'
      const isSecret = namesBalance && streamerMode.isOn()
      toast({
        title: 'Purchase Failed',
        description: isSecret
          ? 'You do not have enough RedCoin.'
          : messageOf(error, purchaseFailure),
        variant: 'destructive',
        detail: isSecret ? undefined : error.message,
      })
    },
    // No part of the store shows the holdings, so nobody else would ask for them now.
    onSettled: () => void queryClient.prefetchQuery({ ...holdingsQuery, staleTime: 0 }),
  })
  return { ...purchase, isPending }
}

export type PurchaseOrder = Pick<
  PurchaseRequest,
  'storePackListingId' | 'quantity' | 'expectedPrice'
>

/** What to send: an order and the `Idempotency-Key` it belongs to. */
interface SentPurchase {
  readonly order: PurchaseOrder
  readonly key: string
  /** In milliseconds since 1970, by the clock of this device. */
  readonly sentAt: number
}

const nameOf = (listingId: number) => `redpack:purchase:${listingId}`

function unanswered(listingId: number): SentPurchase | undefined {
  const sent = keptInTab(nameOf(listingId)) as Partial<SentPurchase> | undefined
  if (!sent?.order || typeof sent.key !== 'string') return undefined
  // A key that the server has forgotten would buy a second time.
  const isKnown = Math.abs(Date.now() - Number(sent.sentAt)) < resendWithinMs
  return isKnown ? (sent as SentPurchase) : undefined
}

/**
 * An order that was sent and never answered keeps its key and its price, so that sending it again
 * buys nothing twice, even after another screen or a reload, and when the price has changed since.
 * Another quantity is another intention.
 */
export const purchaseIntent = {
  /** What to send for an order, which may be one that was sent before. */
  sentFor(order: PurchaseOrder): SentPurchase {
    const open = unanswered(order.storePackListingId)
    if (open?.order.quantity === order.quantity) return open
    const sent = { order, key: newIdempotencyKey(), sentAt: Date.now() }
    keepInTab(nameOf(order.storePackListingId), JSON.stringify(sent))
    return sent
  },
  /** The order was answered: the same order is a new intention from now on. */
  settle({ storePackListingId }: PurchaseOrder): void {
    keepInTab(nameOf(storePackListingId), undefined)
  },
}
