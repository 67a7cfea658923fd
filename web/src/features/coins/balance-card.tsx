// The RedCoin balance of the signed-in user, as a card and as a chip.

import { cn } from '../../lib/class-names.ts'
import { RollingNumber } from '../../ui/rolling-number.tsx'
import { Coin } from './coin.tsx'
import { useShownBalance } from './queries.ts'

/** Follows announced changes at once; see `useBalance`. */
export function BalanceCard({ className }: { readonly className?: string }) {
  const balance = useShownBalance()
  return (
    <section
      aria-label="RedCoin Balance"
      className={cn('card on-card flex items-center gap-4 p-4 sm:px-6', className)}
    >
      <Coin className="size-12" />
      <div className="min-w-0">
        <p className="text-sm text-muted">RedCoin Balance</p>
        <p className="font-display text-2xl font-semibold">
          <RollingNumber value={balance} /> <span className="text-lg text-muted">RedCoin</span>
        </p>
      </div>
    </section>
  )
}

/** The balance in one line. */
export function BalanceChip() {
  const balance = useShownBalance()
  return (
    <p className="card on-card inline-flex min-h-11 items-center gap-2 rounded-full px-4 py-1.5 font-display font-semibold">
      <Coin />
      <span>
        <span className="sr-only">Balance: </span>
        <RollingNumber value={balance} /> RedCoin
      </span>
    </p>
  )
}
