// The Overview tab: the figures of the product, the health of the server, what is going on.

import { RotateCw } from 'lucide-react'
import { LoadErrorCard, Loading, Skeleton } from '../../ui/feedback/data-state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { PanelHeader } from '../../ui/layout/headings.tsx'
import { ActivityMonitor } from './activity-monitor.tsx'
import { BooksAlarm } from './books-alarm.tsx'
import { DrawAlarm } from './draw-alarm.tsx'
import { LatestOpenings } from './latest-openings.tsx'
import { LogCard } from './log-card.tsx'
import { useAdminStats } from './overview-queries.ts'
import { ResetStatistics } from './reset-statistics.tsx'
import { ServerHealth } from './server-health.tsx'
import { StatCards } from './stat-cards.tsx'

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** Clock time of a moment in milliseconds. */
function formatTime(ms: number): string {
  return timeFormat.format(ms)
}

export function OverviewPanel() {
  const { data, error, isFetching, dataUpdatedAt, refetch } = useAdminStats()
  const again = () => {
    refetch().catch(() => undefined)
  }
  if (!data && error) {
    return (
      <LoadErrorCard
        title="Error loading statistics"
        description="The server did not answer with the figures of the overview."
        error={error}
        onRetry={again}
        isRetrying={isFetching}
      />
    )
  }
  return (
    <section aria-labelledby="overview-heading" className="grid grid-cols-1 gap-6">
      <PanelHeader id="overview-heading" title="Overview">
        {data && (
          <div className="flex flex-wrap items-center gap-3">
            <p className={error ? 'text-sm text-warning' : 'text-sm text-muted'}>
              {error && 'The last update failed. '}As of {formatTime(dataUpdatedAt)}
            </p>
            <Button tone="secondary" onClick={again} isPending={isFetching}>
              {!isFetching && <RotateCw aria-hidden="true" />}
              Refresh
            </Button>
          </div>
        )}
      </PanelHeader>
      {data ? (
        <>
          <StatCards stats={data} />
          <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
            <ServerHealth serverHealth={data.serverHealth} books={data.books} />
            <ActivityMonitor stats={data} />
          </div>
          <BooksAlarm books={data.books} />
          <DrawAlarm />
          <LogCard />
          <LatestOpenings openings={data.recentOpenings} />
          <ResetStatistics totalPacks={data.totalPackOpenings} />
        </>
      ) : (
        <Loading label="Loading statistics" className="grid grid-cols-1 gap-6">
          <StatCards stats={undefined} />
          <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
            <Skeleton className="h-72 w-full" />
            <Skeleton className="h-72 w-full" />
          </div>
        </Loading>
      )}
    </section>
  )
}
