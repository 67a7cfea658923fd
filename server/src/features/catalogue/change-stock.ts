// Adds to the stock of a prize, or sets it.

import { integerMax } from '@redpack/contract/limits'
import type { Author } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { setStock } from '../ledger/ledger-tables.ts'
import { changedPrize, lockLivePrize } from './write-prize.ts'

/** Units to add, 1 or more, or the new stock with null for unlimited. */
export type StockChange =
  | { readonly add: number }
  | {
      readonly set: number | null
      /** What the sender saw before. */
      readonly expected?: { readonly quantity?: number | null | undefined } | undefined
    }

/**
 * Changes the stock from what it is under the lock, so a win in between is not undone.
 * @throws DomainError not_found, unlimited_stock when adding to what has no end, invalid_input when
 * the stock would be too large, changed_meanwhile
 */
export async function changeStock(
  tx: Queryable,
  { requestId, now }: Author,
  id: number,
  change: StockChange,
) {
  const before = await lockLivePrize(tx, id)
  if ('set' in change) {
    const stored = { quantity: before.inventoryQuantity }
    refuseChangedMeanwhile(stored, { quantity: change.set }, change.expected)
  }
  const quantity = 'set' in change ? change.set : sum(before.inventoryQuantity, change.add)
  if (quantity !== before.inventoryQuantity) {
    const source = { type: 'staff_change', id: requestId } as const
    await setStock(tx, { kind: 'prize', id, quantity, source, now })
  }
  return changedPrize(tx, 'change_stock', id, before)
}

function sum(stock: number | null, more: number): number {
  if (stock === null) throw new DomainError('unlimited_stock', 'Prize has unlimited stock')
  if (stock + more > integerMax) throw new DomainError('invalid_input', 'Quantity is too large')
  return stock + more
}
