// Buying from one listing: how many, what it costs, what is left afterwards.

import type { Listing } from '@redpack/contract'
import { ArrowRight, ShoppingBag } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { cn } from '../../lib/class-names.ts'
import { formatNumber, formatRedCoin } from '../../lib/format.ts'
import { useStreamerMode } from '../../lib/streamer-mode.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Button } from '../../ui/form/button.tsx'
import { LinkButton } from '../../ui/form/link-button.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { domainErrorOf, isAffordable, stockOf, totalCost } from './check-order.ts'
import { PriceChangedDialog, usePriceQuestion } from './price-changed-dialog.tsx'
import { usePurchase } from './store-queries.ts'
import { type Order, useOrder } from './use-order.ts'

export interface PurchasePanelProps {
  readonly listing: Listing
  readonly balance: number
}

/** Nothing to order while nothing is in stock; what was typed waits until there is. */
export function PurchasePanel({ listing, balance }: PurchasePanelProps) {
  const stock = stockOf(listing)
  const order = useOrder(stock)
  const { stockNotice } = order
  const purchase = usePurchase()

  useEffect(() => {
    if (stockNotice) announce(`${listing.packType.name}: ${stockNotice}`)
  }, [stockNotice, listing.packType.name])

  const { panel, noteFocus } = useFocusAfterPurchase(purchase.isPending, stock === 0)

  const { changed, askAgain, leave } = usePriceQuestion()
  const send = (quantity: number, expectedPrice: number) => {
    leave()
    purchase.mutate(
      { storePackListingId: listing.id, quantity, expectedPrice },
      { onError: (error, sent) => void askAgain(error, sent) },
    )
  }
  const buy = () => {
    if (purchase.isPending) return
    const domainError = domainErrorOf(listing, order.quantity, balance)
    if (domainError) toast({ ...domainError, variant: 'destructive' })
    else if (order.quantity !== null) {
      noteFocus()
      send(order.quantity, listing.redCoinPrice)
    }
  }
  return (
    <div ref={panel} className="mt-auto grid gap-3">
      {stock === 0 ? (
        <p className="text-sm text-muted">Sold out for now.</p>
      ) : (
        <OrderForm
          listing={listing}
          stock={stock}
          balance={balance}
          order={order}
          isPending={purchase.isPending}
          onBuy={buy}
        />
      )}
      <PriceChangedDialog
        packName={listing.packType.name}
        changed={changed}
        balance={balance}
        onCancel={leave}
        onConfirm={send}
      />
      {purchase.isSuccess && (
        <LinkButton to="/inventory" tone="ghost">
          Open now
          <ArrowRight aria-hidden="true" />
        </LinkButton>
      )}
    </div>
  )
}

/**
 * A button that is disabled, or sold out, under the keyboard loses the focus to nothing: after a
 * purchase it comes back to what can be done here next.
 */
function useFocusAfterPurchase(isPending: boolean, isSoldOut: boolean) {
  const panel = useRef<HTMLDivElement>(null)
  const hadFocus = useRef(false)
  useEffect(() => {
    if (isPending || !hadFocus.current || document.activeElement !== document.body) return
    const next = isSoldOut ? 'a[href]' : '[type="submit"]'
    panel.current?.querySelector<HTMLElement>(next)?.focus()
  }, [isPending, isSoldOut])
  const noteFocus = () => {
    hadFocus.current = panel.current?.contains(document.activeElement) ?? false
  }
  return { panel, noteFocus }
}

interface OrderFormProps extends PurchasePanelProps {
  readonly stock: number | undefined
  readonly order: Order
  readonly isPending: boolean
  readonly onBuy: () => void
}

function OrderForm({ listing, stock, balance, order, isPending, onBuy }: OrderFormProps) {
  const reasonId = useId()
  const isMasked = useStreamerMode()
  const { quantity, stockNotice, setQuantity } = order
  const total = totalCost(listing.redCoinPrice, quantity)
  const isInsufficient = !isAffordable(listing, quantity, balance)
  const isOverStock = stock !== undefined && quantity !== null && quantity > stock
  const reason = isInsufficient
    ? `You need ${isMasked ? '' : `${formatNumber(total - balance)} `}more RedCoin.`
    : isOverStock
      ? `Only ${formatNumber(stock)} packs available.`
      : stockNotice
  return (
    <form
      noValidate
      aria-label={`Buy ${listing.packType.name}`}
      onSubmit={(event) => {
        event.preventDefault()
        onBuy()
      }}
      className="grid gap-3"
    >
      <NumberField
        label="Quantity"
        unit="packs"
        min={1}
        max={stock}
        value={quantity}
        onChange={setQuantity}
        disabled={isPending}
      />
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-3 gap-y-1">
        <dt>Total Cost</dt>
        <dd
          data-state={isInsufficient ? 'insufficient' : 'affordable'}
          className={cn(
            'text-end font-display font-semibold tabular-nums break-words',
            isInsufficient && 'text-danger',
          )}
        >
          {formatRedCoin(total)}
        </dd>
        <dt className="text-sm text-muted">Balance after</dt>
        <dd className="text-end text-sm text-muted tabular-nums break-words">
          {isInsufficient ? (
            'Not enough'
          ) : (
            <Masked what="Balance after">{formatRedCoin(balance - total)}</Masked>
          )}
        </dd>
      </dl>
      <p
        id={reasonId}
        className={cn(
          'min-h-5 text-sm',
          isInsufficient || isOverStock ? 'text-danger' : 'text-muted',
        )}
      >
        {reason}
      </p>
      <Button
        type="submit"
        tone={isInsufficient ? 'secondary' : 'primary'}
        isPending={isPending}
        aria-describedby={reason ? reasonId : undefined}
      >
        {!isPending && !isInsufficient && <ShoppingBag aria-hidden="true" />}
        {isPending ? 'Purchasing...' : isInsufficient ? 'Insufficient RedCoin' : 'Purchase'}
      </Button>
    </form>
  )
}
