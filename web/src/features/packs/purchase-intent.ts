// Keeps one key for one intention to buy, however often it has to be sent.

import type { PurchaseRequest } from '@redpack/contract'
import { newIdempotencyKey } from '../../lib/use-call.ts'

export type PurchaseOrder = Pick<
  PurchaseRequest,
  'storePackListingId' | 'quantity' | 'expectedPrice'
>

/** What to send: an order and the `Idempotency-Key` it belongs to. */
export interface SentPurchase {
  readonly order: PurchaseOrder
  readonly key: string
}

export interface PurchaseIntent {
  /** What to send for an order, which may be one that was sent before. */
  sentFor(order: PurchaseOrder): SentPurchase
  /** The order was answered: the same order is a new intention from now on. */
  settle(): void
}

/**
 * An order that was sent and never answered keeps its key and its price, so that sending it again
 * buys nothing twice, even when the price has changed since. Another listing or quantity is another
 * intention.
 */
export function createPurchaseIntent(): PurchaseIntent {
  let open: SentPurchase | null = null
  return {
    sentFor(order) {
      const isSame =
        open?.order.storePackListingId === order.storePackListingId &&
        open.order.quantity === order.quantity
      if (!open || !isSame) open = { order, key: newIdempotencyKey() }
      return open
    },
    settle() {
      open = null
    },
  }
}
