// The RedCoin balance of the signed-in user, as a card and as a chip.

import { History } from 'lucide-react'
import { cn } from '../../lib/class-names.ts'
import { LinkButton } from '../../ui/form/link-button.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { RollingNumber } from '../../ui/media/rolling-number.tsx'
import { useShownBalance } from '../session/queries.ts'
import { Coin } from './coin.tsx'

export interface BalanceCardProps {
  /** False on the screen that the link would lead to. */
  readonly hasHistoryLink?: boolean
  readonly className?: string
}

/** Follows announced changes at once; see `useBalance`. */
export function BalanceCard({ hasHistoryLink = true, className }: BalanceCardProps) {
  const balance = useShownBalance()
  return (
    <section
      aria-label="RedCoin Balance"
      className={cn(
        'card on-card flex flex-wrap items-center gap-x-3 gap-y-2 p-4 sm:gap-x-4 sm:px-6',
        className,
      )}
    >
      <Coin className="size-12" />
      <div className="min-w-0">
        <p className="text-sm text-muted">RedCoin Balance</p>
        <p className="font-display text-2xl font-semibold">
          <Masked what="Balance">
            <RollingNumber value={balance} />
          </Masked>{' '}
          <span className="text-lg text-muted max-sm:sr-only">RedCoin</span>
        </p>
      </div>
      {hasHistoryLink && (
        <LinkButton
          to="/history"
          tone="ghost"
          // On the smallest phones the word alone stays in the line of the balance.
          className="ms-auto max-sm:-me-2 max-[22.5rem]:px-2 max-[22.5rem]:[&>svg]:hidden"
        >
          <History aria-hidden="true" />
          History
        </LinkButton>
      )}
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
        <Masked what="Balance">
          <RollingNumber value={balance} />
        </Masked>{' '}
        RedCoin
      </span>
    </p>
  )
}
