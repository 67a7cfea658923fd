// Keeps one key for one intention to buy, however often it has to be sent.

import type { PurchaseRequest } from '@redpack/contract'
import { newIdempotencyKey } from '../../lib/idempotency-key.ts'

export type PurchaseOrder = Pick<PurchaseRequest, 'storePackListingId' | 'quantity'>

export interface PurchaseIntent {
  /** The `Idempotency-Key` to send with the order. */
  keyOf(order: PurchaseOrder): string
  /** The order was answered: the same order is a new intention from now on. */
  settle(): void
}

/**
 * An order that was sent and never answered keeps its key, so that sending it again buys nothing
 * twice. Another listing or quantity is another intention.
 */
export function createPurchaseIntent(): PurchaseIntent {
  let open: { readonly order: PurchaseOrder; readonly key: string } | null = null
  return {
    keyOf(order) {
      const isSame =
        open?.order.storePackListingId === order.storePackListingId &&
        open.order.quantity === order.quantity
      if (!open || !isSame) open = { order, key: newIdempotencyKey() }
      return open.key
    },
    settle() {
      open = null
    },
  }
}
