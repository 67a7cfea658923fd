// A stream that can be watched for rewards, and how the viewer stands with it.

import type { Stream, WatchCompletion, WatchSession } from '@redpack/contract'
import { CircleCheck, Radar } from 'lucide-react'
import { formatDuration } from '../../lib/format.ts'
import { Card } from '../../ui/layout/card.tsx'
import { ChannelLink } from './channel-link.tsx'
import { LiveBadge } from './live-badge.tsx'
import { streamReason } from './not-counting-reason.ts'
import { requiredSeconds } from './progress.ts'
import { ReasonText } from './reason-text.tsx'
import { RewardBadges } from './reward-badges.tsx'
import { streamRewards } from './rewards.ts'

export interface StreamCardProps {
  readonly stream: Stream
  /** Completion of the broadcast that is live, or while none is live of the last one. */
  readonly completion: WatchCompletion | undefined
  /** The running session of the broadcast that is live. */
  readonly session: WatchSession | undefined
  /** Name of the stream for which time counts. */
  readonly countingName: string | undefined
  readonly startError: unknown
}

export function StreamCard(props: StreamCardProps) {
  const { stream, completion, session, startError } = props
  const why = streamReason(props)
  const isElsewhere = session?.notCountingBecause === 'other_stream'
  const isTracked = stream.isLive && !completion && startError === undefined && !isElsewhere
  const state = isTracked ? (
    <p className="flex gap-2 font-medium text-success">
      <Radar aria-hidden="true" className="mt-0.5 size-5 flex-none" />
      Auto-tracking your watch time
    </p>
  ) : (
    why && <ReasonText why={why} />
  )
  // What has the clock stands above with all that belongs to it.
  if (session && !completion && (session.notCountingBecause ?? 'late_beat') === 'late_beat') {
    return (
      <Card className="flex flex-wrap items-center gap-x-4 gap-y-2" data-slim>
        <h3 className="min-w-0 break-words text-lg">{stream.displayName}</h3>
        <LiveBadge isLive={stream.isLive} />
        {state}
      </Card>
    )
  }
  return (
    <Card className="flex h-full flex-col gap-4">
      <StreamName stream={stream} />
      <p className="text-muted">Watch {formatDuration(requiredSeconds(stream))} to earn:</p>
      <RewardBadges label={`Rewards of ${stream.displayName}`} rewards={streamRewards(stream)} />
      <div className="mt-auto grid grid-cols-1 gap-3 border-t border-line pt-4">
        {completion ? (
          <>
            <p className="flex gap-2 font-medium text-success">
              <CircleCheck aria-hidden="true" className="mt-0.5 size-5 flex-none" />
              Completed - Rewards claimed!
            </p>
            <p className="text-sm text-muted">You can earn again at the next broadcast.</p>
          </>
        ) : (
          state
        )}
        <div>
          <ChannelLink stream={stream} />
        </div>
      </div>
    </Card>
  )
}

function StreamName({ stream }: { readonly stream: Stream }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0 break-words">
        <h3 className="text-xl">{stream.displayName}</h3>
        <p className="text-sm text-muted">{stream.channelName}</p>
      </div>
      <LiveBadge isLive={stream.isLive} />
    </div>
  )
}
