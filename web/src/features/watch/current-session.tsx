// A session that is running: how far it is, whether time counts for it, and what it will pay. The
// one that counts has a full card, the others a short one.

import type { WatchSession } from '@redpack/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Radar, Timer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatDuration } from '../../lib/format.ts'
import { logFailure } from '../../lib/log.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { announce } from '../../ui/feedback/live-region.tsx'
import { toastError } from '../../ui/feedback/outcome.ts'
import { Progress } from '../../ui/feedback/progress.tsx'
import { Button } from '../../ui/form/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import {
  type BeatState,
  clockReason,
  type NotCountingReason,
  progressPercent,
  quarterPassed,
  requiredSeconds,
  sessionReason,
  unfinishedPercent,
} from './broadcasts.ts'
import { chooseSession, heartbeatMs, sendHeartbeat } from './queries.ts'
import { ChannelLink, LiveBadge, ReasonText, RewardBadges, streamRewards } from './stream-card.tsx'

export interface CurrentSessionProps {
  readonly session: WatchSession
  /** Name of the stream for which time counts; undefined while it counts for none. */
  readonly countingName: string | undefined
}

/** Beats go on whether time counts or not, so that nothing is lost when that changes. */
export function CurrentSession({ session, countingName }: CurrentSessionProps) {
  const { stream, totalWatchTime } = session
  const beat = useHeartbeat(session)
  const elsewhere = clockReason(session.notCountingBecause, countingName)
  const title = useRef<HTMLHeadingElement>(null)
  useQuarters(stream.displayName, progressPercent(totalWatchTime, requiredSeconds(stream)))
  // A beat that failed is the reason for the next one being late.
  const why = elsewhere === undefined || beat.error !== undefined ? sessionReason(beat) : elsewhere
  const hasClock = elsewhere === undefined || session.notCountingBecause === 'late_beat'
  return (
    <Card className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 ref={title} tabIndex={-1} className="min-w-0 break-words text-xl">
          {stream.displayName}
        </h3>
        <div className="flex flex-wrap gap-2">
          <LiveBadge isLive={stream.isLive} />
          {hasClock && (
            <Badge
              tone={why.kind === 'counting' ? 'success' : 'idle'}
              icon={<Radar aria-hidden="true" />}
            >
              Auto Tracking
            </Badge>
          )}
        </div>
      </div>
      {hasClock ? (
        <FullBody session={session} why={why} />
      ) : (
        <ShortBody
          session={session}
          why={elsewhere}
          // The button goes with the short card; the place where it was stays the reader's.
          onChosen={() => title.current?.focus({ preventScroll: true })}
        />
      )}
    </Card>
  )
}

interface BodyProps {
  readonly session: WatchSession
  readonly why: NotCountingReason
}

function FullBody({ session: { stream, totalWatchTime }, why }: BodyProps) {
  const required = requiredSeconds(stream)
  const percent = unfinishedPercent(totalWatchTime, required)
  const left = Math.max(0, required - totalWatchTime)
  return (
    <>
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
          {left > 0 ? `${formatDuration(left)} left` : 'Your rewards arrive with the next check-in'}
        </p>
      </div>
      <ReasonText why={why} />
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
    </>
  )
}

function ShortBody({ session, why, onChosen }: BodyProps & { readonly onChosen: () => void }) {
  const { stream, totalWatchTime } = session
  const required = requiredSeconds(stream)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <ReasonText why={why} />
        <p className="mt-1 text-sm text-muted tabular-nums">
          {formatDuration(Math.min(totalWatchTime, required))} of {formatDuration(required)} watched
        </p>
      </div>
      {session.notCountingBecause === 'other_stream' && (
        <CountHere session={session} onChosen={onChosen} />
      )}
    </div>
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

// The button that moves the viewer's clock to another stream.
interface CountHereProps {
  readonly session: WatchSession
  /** Time counts for this session now. */
  readonly onChosen: () => void
}

function CountHere({ session, onChosen }: CountHereProps) {
  const queryClient = useQueryClient()
  const choice = useMutation({
    mutationFn: () => chooseSession(queryClient, session.id),
    onSuccess: () => {
      onChosen()
      announce(`Your time counts for ${session.stream.displayName} now`)
    },
    onError: (error) => toastError(error, 'Failed to choose the stream', { detail: error.message }),
  })
  return (
    <Button
      tone="secondary"
      isPending={choice.isPending}
      aria-label={`Count here: ${session.stream.displayName}`}
      onClick={() => choice.mutate()}
    >
      <Timer aria-hidden="true" />
      Count here
    </Button>
  )
}

/** A beat later than this means that the page was asleep, in milliseconds. */
const pausedAfterMs = 2 * heartbeatMs
/** After this time without a beat, coming back to the page sends one at once, in milliseconds. */
const overdueMs = 1.5 * heartbeatMs

/**
 * Beats while the calling component is there. A failed beat is logged and shown as the reason
 * only.
 */
function useHeartbeat({ streamId, streamSessionId }: WatchSession): BeatState {
  const queryClient = useQueryClient()
  const [state, setState] = useState<BeatState>({})
  useEffect(() => {
    let isGone = false
    let lastBeatMs = Date.now()
    const beat = async () => {
      const gapMs = Date.now() - lastBeatMs
      lastBeatMs = Date.now()
      const pausedMs = gapMs > pausedAfterMs ? gapMs : undefined
      try {
        await sendHeartbeat(queryClient, { streamId, streamSessionId })
        if (!isGone) setState({ pausedMs })
      } catch (error) {
        logFailure('A heartbeat failed', error)
        if (!isGone) setState({ error, pausedMs })
      }
    }
    // An interval keeps its rhythm where the browser wakes hidden tabs only once a minute.
    let timer = window.setInterval(beat, heartbeatMs)
    const onVisibility = () => {
      if (document.visibilityState !== 'visible' || Date.now() - lastBeatMs < overdueMs) return
      window.clearInterval(timer)
      timer = window.setInterval(beat, heartbeatMs)
      void beat()
    }
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      isGone = true
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [queryClient, streamId, streamSessionId])
  return state
}
