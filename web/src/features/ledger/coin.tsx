// The picture of one RedCoin.

import { cn } from '../../lib/class-names.ts'

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
