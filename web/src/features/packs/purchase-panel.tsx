// Buying from one listing: how many, what it costs, what is left afterwards.

import type { Listing } from '@redpack/contract'
import { useQueryClient } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { cn } from '../../lib/class-names.ts'
import { formatNumber, formatRedCoin, plural } from '../../lib/format.ts'
import { streamerMode, useStreamerMode } from '../../lib/streamer-mode.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Button, LinkButton } from '../../ui/form/button.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { Form } from '../../ui/form/text-field.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { domainErrorOf, isAffordable, stockOf, totalCost } from './check-order.ts'
import { isPriceChange, loadListing, type PurchaseOrder, usePurchase } from './store-queries.ts'

export interface PurchasePanelProps {
  readonly listing: Listing
  readonly balance: number
}

/** Nothing to order while nothing is in stock; what was typed waits until there is. */
export function PurchasePanel({ listing, balance }: PurchasePanelProps) {
  const stock = stockOf(listing)
  const order = useOrder(stock)
  const { stockNotice } = order
  const purchase = usePurchase(listing.id)

  useEffect(() => {
    if (stockNotice) announce(`${listing.packType.name}: ${stockNotice}`)
  }, [stockNotice, listing.packType.name])

  const panel = useFocusOnceSoldOut(stock === 0, purchase.isSuccess)

  const { changed, askAgain, leave } = usePriceQuestion(panel)
  const send = (quantity: number, expectedPrice: number) => {
    leave()
    const order = { storePackListingId: listing.id, quantity, expectedPrice }
    purchase.mutate(order, { onError: (error) => askAgain(error, order) })
  }
  const buy = () => {
    if (purchase.isPending) return
    const domainError = domainErrorOf(listing, order.quantity, balance, streamerMode.isOn())
    if (domainError) toast({ ...domainError, variant: 'destructive' })
    else if (order.quantity !== null) send(order.quantity, listing.redCoinPrice)
  }
  const openNow = purchase.isSuccess && (
    <LinkButton to="/inventory" tone="ghost" className="flex-none whitespace-nowrap px-2">
      Open now
      <ArrowRight />
    </LinkButton>
  )
  return (
    <div ref={panel} className="mt-auto">
      {stock === 0 ? (
        <div className="flex min-h-11 justify-end">{openNow}</div>
      ) : (
        <OrderForm
          listing={listing}
          stock={stock}
          balance={balance}
          order={order}
          isPending={purchase.isPending}
          onBuy={buy}
        >
          {openNow}
        </OrderForm>
      )}
      <PriceChangedDialog
        packName={listing.packType.name}
        changed={changed}
        balance={balance}
        onCancel={leave}
        onConfirm={send}
      />
    </div>
  )
}

/** The form goes with the last pack: what had the focus leaves it to the way to the packs. */
function useFocusOnceSoldOut(isSoldOut: boolean, hasBought: boolean) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const isLost = document.activeElement === document.body
    if (isSoldOut && hasBought && isLost) panel.current?.querySelector('a')?.focus()
  }, [isSoldOut, hasBought])
  return panel
}

interface OrderFormProps extends PurchasePanelProps {
  readonly stock: number | undefined
  readonly order: Order
  readonly isPending: boolean
  readonly onBuy: () => void
  /** What can be done after a purchase; its place is kept before. */
  readonly children: ReactNode
}

function OrderForm(props: OrderFormProps) {
  const { listing, stock, balance, order, isPending, onBuy, children } = props
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
    <Form
      noValidate
      aria-label={`Buy ${listing.packType.name}`}
      onSubmit={onBuy}
      className="grid gap-2"
    >
      <div className="flex min-h-11 items-center justify-between gap-2">
        <div className="min-w-0">
          <dl className="flex flex-wrap gap-x-2">
            <dt>Total Cost</dt>
            <dd
              data-state={isInsufficient ? 'insufficient' : 'affordable'}
              className={cn(
                'font-display font-semibold tabular-nums break-words',
                isInsufficient && 'text-danger',
              )}
            >
              {formatRedCoin(total)}
            </dd>
          </dl>
          <p
            id={reasonId}
            className={cn('text-sm', isInsufficient || isOverStock ? 'text-danger' : 'text-muted')}
          >
            {reason ?? (
              <>
                Balance after: <Masked what="Balance after">{formatNumber(balance - total)}</Masked>
              </>
            )}
          </p>
        </div>
        {children}
      </div>
      <div className="flex flex-wrap gap-2">
        <NumberField
          label="Quantity"
          isLabelHidden
          unit="packs"
          min={1}
          max={stock}
          value={quantity}
          onChange={setQuantity}
          disabled={isPending}
          className="min-w-12 px-1"
          fieldClassName="flex-[1_0_9.5rem]"
        />
        <Button
          type="submit"
          tone={isInsufficient ? 'secondary' : 'primary'}
          isPending={isPending}
          aria-describedby={reason ? reasonId : undefined}
          className={`flex-[1_1_8.75rem] px-0.5 ${isInsufficient ? 'text-sm' : ''}`}
        >
          {isPending ? 'Purchasing...' : isInsufficient ? 'Insufficient RedCoin' : 'Purchase'}
        </Button>
      </div>
    </Form>
  )
}

// The quantity a player is about to buy: what is typed, and what a change of stock does to it.
interface OrderState {
  /** Null while the field is empty. */
  readonly quantity: number | null
  /** Says that a change of stock lowered the quantity; gone once something is typed. */
  readonly stockNotice: string | null
}

interface Order extends OrderState {
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
function useOrder(stock: number | undefined): Order {
  const [order, setOrder] = useState<OrderState>({ quantity: 1, stockNotice: null })
  const [knownStock, setKnownStock] = useState(stock)
  if (knownStock !== stock) {
    setKnownStock(stock)
    const lowered = afterStockChange(order.quantity, knownStock, stock)
    if (lowered) setOrder(lowered)
  }
  return {
    ...order,
    setQuantity: (typed) => {
      // Whole packs, so that no cost is shown of what cannot be bought.
      const quantity = typed === null ? null : Math.max(0, Math.trunc(typed))
      setOrder({ quantity, stockNotice: null })
    },
  }
}

/** An order that was refused because of another price. */
interface ChangedPrice {
  readonly quantity: number
  /** What one pack cost when the buyer saw it, and what it costs now. */
  readonly before: number
  readonly now: number
}

/**
 * Remembers a refused order together with the price of now, until it is answered. Where the panel
 * has gone meanwhile, nobody can be asked, only told.
 */
function usePriceQuestion(panel: RefObject<HTMLElement | null>) {
  const queryClient = useQueryClient()
  const [changed, setChanged] = useState<ChangedPrice | null>(null)
  const askAgain = async (error: unknown, { expectedPrice, ...order }: PurchaseOrder) => {
    if (!isPriceChange(error)) return
    const listing = await loadListing(queryClient, Number(order.storePackListingId)).catch(
      () => undefined,
    )
    if (listing && panel.current) {
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

interface PriceChangedDialogProps {
  readonly packName: string
  readonly changed: ChangedPrice | null
  readonly balance: number
  readonly onCancel: () => void
  readonly onConfirm: (quantity: number, price: number) => void
}

function PriceChangedDialog(props: PriceChangedDialogProps) {
  const { packName, changed, balance, onCancel, onConfirm } = props
  const { quantity, before, now } = changed ?? { quantity: 0, before: 0, now: 0 }
  const total = totalCost(now, quantity)
  const isAffordable = total <= balance
  return (
    <ConfirmDialog
      isOpen={changed !== null}
      onOpenChange={onCancel}
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
        <ArrowRight className="size-4" />
        <span className="sr-only">now</span>
        <strong>{formatRedCoin(now)}</strong>
      </p>
      <p className="mt-2">
        {formatRedCoin(total)} in total for {plural(quantity, 'pack', 'packs')}.
      </p>
      {!isAffordable && (
        <p className="mt-2 text-danger">You do not have enough RedCoin for that.</p>
      )}
    </ConfirmDialog>
  )
}
