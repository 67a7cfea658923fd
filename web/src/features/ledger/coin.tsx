// The picture of one RedCoin.

import { cn } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { Masked } from '../../ui/media/masked.tsx'

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

interface AmountProps {
  readonly amount: number
  readonly isOwn: boolean
}

export function Amount({ amount, isOwn }: AmountProps) {
  const number = <span className="tabular-nums">{formatNumber(amount)}</span>
  return isOwn ? <Masked what="Balance">{number}</Masked> : number
}
