// The RedCoin balance of the signed-in user beside the title of a screen.

import { LinkButton } from '../../ui/form/link-button.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { RollingNumber } from '../../ui/media/rolling-number.tsx'
import { useShownBalance } from '../session/queries.ts'
import { Coin } from './coin.tsx'

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
