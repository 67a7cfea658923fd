// Stock of prizes and listings: guarded changes, each with its row of history in one statement.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { addStockHistory, putStock, type StockKind, takeStock } from './value-sql.ts'

export interface StockSource {
  readonly type: 'created' | 'staff_change'
  readonly id: string
}

export interface NewStock {
  readonly kind: StockKind
  /** Of the prize or listing. */
  readonly id: number
  /** 0 or more; null makes a prize unlimited, which a listing says in a column of its own. */
  readonly quantity: number | null
  /** What caused the change; it occurs once per prize or listing. */
  readonly source: StockSource
  readonly now: Date
}

// Stock that was unlimited may have left events behind, and sales of an unlimited listing leave
// none, so the history itself says what it holds.
const settingOf = (kind: StockKind) =>
  `WITH changed AS (
    ${putStock(kind, '$2::int')}, updated_at = $5 WHERE id = $1::int RETURNING id
  )
  ${addStockHistory}
  SELECT '${kind}', $1::int, change.delta, $2::int, $3, $4, $5
  FROM (SELECT coalesce($2::int, 0) - coalesce((SELECT sum(delta) FROM stock_events
    WHERE kind = '${kind}' AND ref_id = $1::int), 0) AS delta FROM changed) AS change
  WHERE change.delta <> 0`
const setPrize = statement('set_prize_stock', settingOf('prize'))
const setListing = statement('set_listing_stock', settingOf('listing'))

/** Makes the stock of a prize or listing that stands locked what is asked for. */
export async function setStock(tx: Queryable, stock: NewStock): Promise<void> {
  const { kind, id, quantity, source, now } = stock
  await tx.run(kind === 'prize' ? setPrize : setListing, [
    id,
    quantity,
    source.type,
    source.id,
    now,
  ])
}

const take = statement(
  'take_listing_stock',
  `WITH listing AS (
    ${takeStock('listing', '$2::int')}, updated_at = $4
    WHERE id = $1 AND is_active AND archived_at IS NULL AND NOT is_unlimited
      AND quantity_available >= $2::int
    RETURNING id, quantity_available
  ), history AS (
    ${addStockHistory}
    SELECT 'listing', id, -$2::int, quantity_available, 'purchase', $3, $4 FROM listing
  )
  SELECT quantity_available FROM listing`,
)

/**
 * Takes stock of a limited listing, the last lock of a purchase. False when it is not on sale or
 * holds less.
 */
export async function takeListingStock(
  tx: Queryable,
  sold: {
    readonly listingId: number
    /** 1 or more. */
    readonly quantity: number
    readonly purchaseId: number
    readonly now: Date
  },
): Promise<boolean> {
  const values = [sold.listingId, sold.quantity, String(sold.purchaseId), sold.now]
  return (await tx.run(take, values)).length > 0
}
