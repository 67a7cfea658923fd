// What is going on: today's rates, and the latest openings.

import type { AdminStats } from '@redpack/contract'
import { Activity } from 'lucide-react'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { Card, CardHeader } from '../../ui/card.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Fact, Facts } from './facts.tsx'
import { averageRedCoins, growthPercent, winRatePercent } from './figures.ts'

export function ActivityMonitor({ stats }: { readonly stats: AdminStats }) {
  return (
    <Card>
      <CardHeader
        level={3}
        title={
          <span className="flex items-center gap-2">
            <Activity aria-hidden="true" className="size-5 text-muted" />
            Activity Monitor
          </span>
        }
      />
      <Facts>
        <Fact term="Recent activity (24h pack openings)">{formatNumber(stats.recentActivity)}</Fact>
        <Fact term="Win rate today">
          <PercentBar percent={winRatePercent(stats)} />
        </Fact>
        <Fact term="Average RedCoins per user">{formatNumber(averageRedCoins(stats))}</Fact>
        <Fact term="Store purchases today">{formatNumber(stats.storePurchasesToday)}</Fact>
        <Fact term="New user growth (7d)">
          <PercentBar percent={growthPercent(stats)} />
        </Fact>
      </Facts>
      <Disclosure summary="Latest openings" className="mt-3">
        <LatestOpenings openings={stats.recentOpenings} />
      </Disclosure>
    </Card>
  )
}

const barWidth = 96
const barHeight = 8

/** The figure in words, with a bar beside it for the eye. */
function PercentBar({ percent }: { readonly percent: number }) {
  const filled = (Math.min(100, percent) / 100) * barWidth
  return (
    <span className="flex items-center gap-3">
      <svg
        aria-hidden="true"
        width={barWidth}
        height={barHeight}
        viewBox={`0 0 ${barWidth} ${barHeight}`}
        className="flex-none overflow-hidden rounded-full"
      >
        <rect width={barWidth} height={barHeight} className="fill-line" />
        <rect width={filled} height={barHeight} className="fill-secondary-graphic" />
      </svg>
      <span className="min-w-12 text-end">{formatNumber(percent)}%</span>
    </span>
  )
}

type Openings = AdminStats['recentOpenings']

function LatestOpenings({ openings }: { readonly openings: Openings }) {
  if (openings.length === 0) return <p className="text-muted">No packs were opened yet.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section aria-label="Latest openings" tabIndex={0} className="overflow-x-auto">
      <table className="w-full min-w-96 text-start text-sm">
        <thead className="text-muted">
          <tr className="border-b border-line [&>th]:py-2 [&>th]:pe-4 [&>th]:text-start [&>th]:font-medium">
            <th scope="col">When</th>
            <th scope="col">User</th>
            <th scope="col">Pack</th>
            <th scope="col">Prize</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line [&_td]:py-2 [&_td]:pe-4">
          {openings.map(({ id, createdAt, username, packTypeName, prizeName }) => (
            <tr key={id}>
              <td className="whitespace-nowrap">{formatDateTime(createdAt)}</td>
              <td>{username}</td>
              <td>{packTypeName}</td>
              <td>{prizeName ?? <span className="text-muted">None</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
