// The quantity a player is about to buy: what is typed, and what a change of stock does to it.

import { useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { clampQuantity } from './check-order.ts'

export interface OrderState {
  /** Null while the field is empty. */
  readonly quantity: number | null
  /** Says that a change of stock lowered the quantity; gone once something is typed. */
  readonly stockNotice: string | null
}

export interface Order extends OrderState {
  readonly setQuantity: (typed: number | null) => void
}

/**
 * What becomes of a quantity when the stock sinks from `before` to `now`. A quantity that was too
 * high before as well stays as it was typed: its reason is said already.
 */
export function afterStockChange(
  quantity: number | null,
  before: number | undefined,
  now: number | undefined,
): OrderState | null {
  const isFine = quantity === null || now === undefined || now === 0 || quantity <= now
  const wasFine = quantity !== null && (before === undefined || quantity <= before)
  if (isFine || !wasFine) return null
  const left = formatNumber(now)
  return {
    quantity: now,
    stockNotice: `Only ${left} left now, so your quantity was lowered to ${left}.`,
  }
}

/** @param stock packs left, undefined for no end */
export function useOrder(stock: number | undefined): Order {
  const [order, setOrder] = useState<OrderState>({ quantity: 1, stockNotice: null })
  const [knownStock, setKnownStock] = useState(stock)
  if (knownStock !== stock) {
    setKnownStock(stock)
    const lowered = afterStockChange(order.quantity, knownStock, stock)
    if (lowered) setOrder(lowered)
  }
  return {
    ...order,
    setQuantity: (typed) => setOrder({ quantity: clampQuantity(typed), stockNotice: null }),
  }
}
