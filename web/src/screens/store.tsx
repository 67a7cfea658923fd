// The store: what RedCoin buys.

import { BalanceCard } from '../features/ledger/balance-card.tsx'
import { ListingGrid } from '../features/packs/listing-grid.tsx'
import { OddsButton } from '../features/packs/odds-sheet.tsx'
import { useShownBalance } from '../features/session/queries.ts'
import { LinkButton } from '../ui/form/link-button.tsx'
import { PageHeading } from '../ui/layout/headings.tsx'

export function StoreScreen() {
  const balance = useShownBalance()
  return (
    <>
      <PageHeading
        title="Pack Store"
        description="Purchase packs with RedCoin"
        action={<BalanceCard />}
      />
      <ListingGrid
        balance={balance}
        renderOdds={({ packTypeId, packType }) => (
          <OddsButton packTypeId={packTypeId} packName={packType.name} />
        )}
      />
      <p className="mt-8 text-center">
        <LinkButton to="/fairness" tone="faint">
          How draws stay fair
        </LinkButton>
      </p>
    </>
  )
}
