// Asks again when a price is another than the one the buyer has seen: nothing was bought.

import { useQueryClient } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { formatRedCoin, plural } from '../../lib/format.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { totalCost } from './check-order.ts'
import type { PurchaseOrder } from './purchase-intent.ts'
import { isPriceChange, loadListing } from './store-queries.ts'

/** An order that was refused because of another price. */
export interface ChangedPrice {
  readonly quantity: number
  /** What one pack cost when the buyer saw it, and what it costs now. */
  readonly before: number
  readonly now: number
}

/** Remembers a refused order together with the price of now, until it is answered. */
export function usePriceQuestion() {
  const queryClient = useQueryClient()
  const [changed, setChanged] = useState<ChangedPrice | null>(null)
  const askAgain = async (error: unknown, { expectedPrice, ...order }: PurchaseOrder) => {
    if (!isPriceChange(error)) return
    const listing = await loadListing(queryClient, Number(order.storePackListingId)).catch(
      () => undefined,
    )
    if (listing) {
      const before = Number(expectedPrice)
      setChanged({ quantity: Number(order.quantity), before, now: listing.redCoinPrice })
      return
    }
    toast({
      title: 'Purchase Failed',
      description: 'The price has changed, and nothing was bought. Look at the store again.',
      variant: 'destructive',
    })
  }
  return { changed, askAgain, leave: () => setChanged(null) }
}

export interface PriceChangedDialogProps {
  readonly packName: string
  readonly changed: ChangedPrice | null
  readonly balance: number
  readonly onCancel: () => void
  readonly onConfirm: (quantity: number, price: number) => void
}

export function PriceChangedDialog(props: PriceChangedDialogProps) {
  const { packName, changed, balance, onCancel, onConfirm } = props
  const { quantity, before, now } = changed ?? { quantity: 0, before: 0, now: 0 }
  const total = totalCost(now, quantity)
  const isAffordable = total <= balance
  return (
    <ConfirmDialog
      isOpen={changed !== null}
      onOpenChange={(isOpen) => !isOpen && onCancel()}
      tone="primary"
      title={`The price of ${packName} has changed`}
      description="Nothing was bought and nothing was spent."
      confirmLabel={`Buy for ${formatRedCoin(total)}`}
      canConfirm={isAffordable}
      onConfirm={() => onConfirm(quantity, now)}
    >
      <p className="flex flex-wrap items-center gap-2">
        <span>
          One pack: <span className="text-muted">{formatRedCoin(before)}</span>
        </span>
        <ArrowRight aria-hidden="true" className="size-4" />
        <span className="sr-only">now</span>
        <strong>{formatRedCoin(now)}</strong>
      </p>
      <p className="mt-2">
        {plural(quantity, 'pack', 'packs')} cost {formatRedCoin(total)} in total now.
      </p>
      {!isAffordable && <p className="mt-2 text-danger">You have not enough RedCoin for that.</p>}
    </ConfirmDialog>
  )
}
