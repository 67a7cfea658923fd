// The packs a player owns, and the place to open them.

import { AlarmList } from '../features/fairness/alarm-list.tsx'
import { BalanceCard } from '../features/ledger/balance-card.tsx'
import { OpenPacksPanel } from '../features/packs/open-packs-panel.tsx'
import { useSession } from '../features/session/queries.ts'
import { PageHeading } from '../ui/layout/headings.tsx'

/** Nothing unless signed in. */
export function InventoryScreen() {
  const { user } = useSession()
  if (!user) return null
  return (
    <>
      <PageHeading
        title="Pack Inventory"
        description="Choose a pack, choose how many, open"
        action={<BalanceCard />}
      />
      <div className="grid gap-6">
        <AlarmList userId={user.id} />
        <OpenPacksPanel userId={user.id} />
      </div>
    </>
  )
}
