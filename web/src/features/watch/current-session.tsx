// A session that is running: how far it is, whether time counts, and what it will pay.

import type { WatchSession } from '@redpack/contract'
import { Radar } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { formatDuration } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { announce } from '../../ui/live-region.tsx'
import { Progress } from '../../ui/progress.tsx'
import { ChannelLink } from './channel-link.tsx'
import { LiveBadge } from './live-badge.tsx'
import { progressPercent, quarterPassed, requiredSeconds, unfinishedPercent } from './progress.ts'
import { RewardBadges } from './reward-badges.tsx'
import { streamRewards } from './rewards.ts'
import { useHeartbeat } from './use-heartbeat.ts'
import { sessionWhyLine } from './why-line.ts'
import { WhyText } from './why-text.tsx'

export function CurrentSession({ session }: { readonly session: WatchSession }) {
  const { stream, totalWatchTime } = session
  const why = sessionWhyLine(useHeartbeat(session))
  const required = requiredSeconds(stream)
  const percent = unfinishedPercent(totalWatchTime, required)
  useQuarters(stream.displayName, progressPercent(totalWatchTime, required))
  const left = Math.max(0, required - totalWatchTime)
  return (
    <Card className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="min-w-0 break-words text-xl">{stream.displayName}</h3>
        <div className="flex flex-wrap gap-2">
          <LiveBadge isLive={stream.isLive} />
          <Badge tone="success" icon={<Radar aria-hidden="true" />}>
            Auto Tracking
          </Badge>
        </div>
      </div>
      <div>
        <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-display text-3xl font-semibold tabular-nums">
            {Math.floor(percent)}%
          </span>
          <span className="text-muted tabular-nums">
            {formatDuration(Math.min(totalWatchTime, required))} of {formatDuration(required)}
          </span>
        </div>
        <Progress
          label={`Watch progress of ${stream.displayName}`}
          value={percent}
          valueText={`${Math.floor(percent)}%, ${formatDuration(left)} left`}
        />
        <p className="mt-2 text-sm text-muted tabular-nums">
          {left > 0 ? `${formatDuration(left)} left` : 'Your rewards come with the next check-in'}
        </p>
      </div>
      <WhyText why={why} />
      <div className="flex flex-wrap items-end justify-between gap-4 border-t border-line pt-4">
        <div className="min-w-0">
          <p className="mb-2 text-sm text-muted">You will get</p>
          <RewardBadges
            label={`Rewards of ${stream.displayName}`}
            rewards={streamRewards(stream)}
          />
        </div>
        <ChannelLink stream={stream} />
      </div>
    </Card>
  )
}

/** Announces the quarters as the server's count passes them. */
function useQuarters(name: string, percent: number): void {
  const before = useRef(percent)
  useEffect(() => {
    const quarter = quarterPassed(before.current, percent)
    before.current = percent
    if (quarter !== undefined) announce(`${name}: ${quarter} percent watched`)
  }, [name, percent])
}
