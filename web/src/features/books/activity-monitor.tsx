// What is going on: today's rates.

import type { AdminStats } from '@redpack/contract'
import { Activity } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { Fact, Facts } from './facts.tsx'
import { averageRedCoins, growthPercent, winRatePercent } from './figures.ts'

export function ActivityMonitor({ stats }: { readonly stats: AdminStats }) {
  return (
    <Card>
      <CardHeader level={3} title="Activity Monitor" icon={Activity} />
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
