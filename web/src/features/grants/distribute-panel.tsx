// The Distribute tab: giving and taking packs and RedCoin, in five views.

import { useSearchValue } from '../../lib/search-value.ts'
import { Loading, Skeleton, SlowNote } from '../../ui/feedback/data-state.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/form/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PanelTitle } from '../../ui/layout/headings.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { BulkDistribution } from './bulk-distribution.tsx'
import { IndividualDistribution } from './individual-distribution.tsx'
import { IndividualRemoval } from './individual-removal.tsx'
import { useGrantPackTypes, useRecipients } from './queries.ts'
import { RedCoinDistribution } from './red-coin-distribution.tsx'
import { RemoveItems } from './remove-items.tsx'

const views = [
  { value: 'individual', label: 'Individual Distribution', content: <IndividualDistribution /> },
  { value: 'redcoin', label: 'RedCoin Distribution', content: <RedCoinDistribution /> },
  { value: 'removal', label: 'Individual Removal', content: <IndividualRemoval /> },
  { value: 'bulk', label: 'Bulk Distribution', content: <BulkDistribution /> },
  { value: 'remove', label: 'Remove Items', content: <RemoveItems /> },
] as const

export function DistributePanel() {
  const users = useRecipients('')
  const packTypes = useGrantPackTypes()
  const [wanted, setView] = useSearchValue('view')
  const open = views.find(({ value }) => value === wanted) ?? views[0]
  const isBroken = (users.error && !users.data) || (packTypes.error && !packTypes.data)
  return (
    <section aria-labelledby="distribute-heading">
      <PanelTitle id="distribute-heading" className="mb-4">
        Distribution Center
      </PanelTitle>
      {isBroken ? (
        <Card>
          <Notice tone="danger" role="alert" className="mb-4 text-base">
            Failed to load distribution data. Please refresh the page.
          </Notice>
          <Button
            tone="secondary"
            isPending={users.isFetching || packTypes.isFetching}
            onClick={() => {
              users.refetch().catch(() => undefined)
              packTypes.refetch().catch(() => undefined)
            }}
          >
            Try again
          </Button>
        </Card>
      ) : users.data && packTypes.data ? (
        <Tabs
          label="Distribution"
          value={open.value}
          onChange={(value) => setView(value === views[0].value ? '' : value)}
          tabs={views}
        />
      ) : (
        <Loading label="Loading distribution data" className="grid gap-4">
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-80 w-full" />
          <SlowNote what="distribution data" />
        </Loading>
      )}
    </section>
  )
}
