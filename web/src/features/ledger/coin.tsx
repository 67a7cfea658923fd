// RedCoin on the screen: its picture, and the balance beside the title of a screen.

import { cn } from '../../lib/class-names.ts'
import { LinkButton } from '../../ui/form/button.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { NumberText } from '../../ui/media/number-text.tsx'
import { RollingNumber } from '../../ui/media/rolling-number.tsx'
import { useShownBalance } from '../session/queries.ts'

/** Decorative: the word RedCoin always stands beside the amount. */
export function Coin({ className }: { readonly className?: string }) {
  return (
    <img
      src="/art/redcoin.svg"
      alt=""
      width={20}
      height={20}
      className={cn('size-5 flex-none', className)}
    />
  )
}

export function Amount({ amount, isOwn }: { readonly amount: number; readonly isOwn: boolean }) {
  const number = (
    <span className="tabular-nums">
      <NumberText value={amount} />
    </span>
  )
  return isOwn ? <Masked what="Balance">{number}</Masked> : number
}

/** Leads to its history; follows announced changes at once, see `useBalance`. */
export function BalanceCard() {
  const balance = useShownBalance()
  return (
    <section aria-label="RedCoin Balance">
      <LinkButton to="/history" tone="secondary" className="px-3">
        <Coin />
        <span>
          <Masked what="Balance">
            <RollingNumber value={balance} />
          </Masked>{' '}
          <span className="max-sm:sr-only">RedCoin</span>
          <span className="sr-only">, see its history</span>
        </span>
      </LinkButton>
    </section>
  )
}
