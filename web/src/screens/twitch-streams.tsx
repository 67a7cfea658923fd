// Watch Rewards: what is being watched now, what can be watched, and what has been completed.

import type { Stream, WatchCompletion, WatchSession } from '@redpack/contract'
import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { Radar, Radio, Timer } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import {
  type BeatState,
  broadcastKey,
  clockReason,
  countingName,
  currentCompletion,
  lastCompletion,
  type NotCountingReason,
  progressPercent,
  quarterPassed,
  requiredSeconds,
  runningSessions,
  sessionReason,
  unfinishedPercent,
} from '../features/watch/broadcasts.ts'
import {
  chooseSession,
  heartbeatMs,
  lastBeat,
  sendHeartbeat,
  useLastBeat,
  useStreams,
  useWatchCompletions,
  useWatchSessions,
} from '../features/watch/queries.ts'
import {
  ChannelLink,
  CompletedWatches,
  LiveBadge,
  ReasonText,
  RewardBadges,
  StreamCard,
  streamRewards,
} from '../features/watch/stream-card.tsx'
import {
  type StartErrors,
  useAutoStart,
  useCompletionNews,
  useInitialDataReady,
} from '../features/watch/use-watching.ts'
import { formatDuration } from '../lib/format.ts'
import { logFailure } from '../lib/log.ts'
import { announce } from '../ui/feedback/live-region.tsx'
import { toastError } from '../ui/feedback/outcome.ts'
import { Progress } from '../ui/feedback/progress.tsx'
import { Badge, DataState, EmptyCard, Skeleton } from '../ui/feedback/state.tsx'
import { Button } from '../ui/form/button.tsx'
import { Card, PageHeading } from '../ui/layout/section.tsx'
import { Avatar } from '../ui/media/avatar.tsx'

interface CurrentSessionProps {
  readonly session: WatchSession
  /** Name of the stream for which time counts; undefined while it counts for none. */
  readonly countingName: string | undefined
}

/** Beats go on whether time counts or not, so that nothing is lost when that changes. */
function CurrentSession({ session, countingName }: CurrentSessionProps) {
  const { stream, totalWatchTime } = session
  const beat = useHeartbeat(session)
  const elsewhere = clockReason(session, countingName)
  const title = useRef<HTMLHeadingElement>(null)
  useQuarters(stream.displayName, progressPercent(totalWatchTime, requiredSeconds(stream)))
  // A beat that failed is the reason for the next one being late.
  const why = elsewhere === undefined || beat.error !== undefined ? sessionReason(beat) : elsewhere
  const hasClock = elsewhere === undefined || session.notCountingBecause === 'late_beat'
  return (
    <Card className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 items-center gap-3">
          <Avatar name={stream.displayName} src={stream.channelImageUrl} />
          <h3 ref={title} tabIndex={-1} className="min-w-0 break-words text-xl">
            {stream.displayName}
          </h3>
        </div>
        <div className="flex flex-wrap gap-2">
          <LiveBadge isLive={stream.isLive} />
          {hasClock && (
            <Badge tone={why.kind === 'counting' ? 'success' : 'idle'} icon={<Radar />}>
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

/** Begun minutes count in full until the last: with what is watched they make up the whole. */
function leftSeconds(required: number, watched: number): number {
  const left = Math.max(0, required - watched)
  return left < 60 ? left : Math.ceil(left / 60) * 60
}

function FullBody({ session: { stream, totalWatchTime }, why }: BodyProps) {
  const required = requiredSeconds(stream)
  const percent = unfinishedPercent(totalWatchTime, required)
  const left = leftSeconds(required, totalWatchTime)
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
      <Timer />
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
function useHeartbeat({ id, streamId, streamSessionId }: WatchSession): BeatState {
  const queryClient = useQueryClient()
  useEffect(() => {
    const tell = (beat: BeatState) => queryClient.setQueryData(lastBeat(id).queryKey, beat)
    let isGone = false
    let lastBeatMs = Date.now()
    const beat = async () => {
      const gapMs = Date.now() - lastBeatMs
      lastBeatMs = Date.now()
      const pausedMs = gapMs > pausedAfterMs ? gapMs : undefined
      try {
        await sendHeartbeat(queryClient, { streamId, streamSessionId })
        if (!isGone) tell({ pausedMs })
      } catch (error) {
        logFailure('A heartbeat failed', error)
        if (!isGone) tell({ error, pausedMs })
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
  }, [queryClient, id, streamId, streamSessionId])
  return useLastBeat(id)
}

export function TwitchStreamsScreen() {
  const streams = useStreams()
  const sessions = useWatchSessions()
  const completions = useWatchCompletions()
  const startErrors = useAutoStart({
    streams: streams.data,
    sessions: sessions.data,
    completions: completions.data,
    updatedAtMs: Math.max(streams.dataUpdatedAt, sessions.dataUpdatedAt),
  })
  useCompletionNews(completions.data)
  const isSettled = useInitialDataReady(streams, sessions, completions, startErrors)
  const running = runningSessions(sessions.data ?? [])
  return (
    <>
      <PageHeading
        title="Watch Rewards"
        description="Watch partner streams on Twitch with this page open. Your time is tracked automatically."
      />
      <div key={isSettled ? 'settled' : 'waiting'} className="grid grid-cols-1 gap-10">
        <WatchSection
          title="Currently Watching"
          what="your watch sessions"
          query={sessions}
          isWaiting={!isSettled}
        >
          {() => <CurrentlyWatching sessions={running} streams={streams.data ?? []} />}
        </WatchSection>
        <WatchSection
          title="Available Streams"
          what="the streams"
          query={streams}
          isWaiting={!isSettled}
        >
          {(list) => (
            <AvailableStreams
              streams={list}
              running={running}
              completions={completions.data ?? []}
              startErrors={startErrors}
            />
          )}
        </WatchSection>
        <WatchSection
          title="Completed Watches"
          what="your completed watches"
          query={completions}
          isWaiting={!isSettled}
        >
          {(list) => <CompletedWatches completions={list} />}
        </WatchSection>
      </div>
    </>
  )
}

interface CurrentlyWatchingProps {
  readonly sessions: readonly WatchSession[]
  readonly streams: readonly Stream[]
}

function CurrentlyWatching({ sessions, streams }: CurrentlyWatchingProps) {
  if (sessions.length === 0) {
    const isAnyLive = streams.some(({ isLive }) => isLive)
    return (
      <EmptyCard
        picture={<Timer strokeWidth={1.5} />}
        title="You are not watching a stream"
        description={
          isAnyLive
            ? 'Each live stream below says why.'
            : 'No partner stream is live. Tracking starts automatically when one goes live.'
        }
      />
    )
  }
  return (
    <>
      <ul className="grid grid-cols-1 gap-4">
        {sessions.map((session) => (
          <li key={session.id}>
            <CurrentSession session={session} countingName={countingName(sessions)} />
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <p className="mt-3 text-sm text-muted">Your watch time counts for one stream at a time.</p>
      )}
    </>
  )
}

interface AvailableStreamsProps {
  readonly streams: readonly Stream[]
  readonly running: readonly WatchSession[]
  readonly completions: readonly WatchCompletion[]
  readonly startErrors: StartErrors
}

function AvailableStreams({ streams, running, completions, startErrors }: AvailableStreamsProps) {
  if (streams.length === 0) {
    return (
      <EmptyCard
        picture={<Radio strokeWidth={1.5} />}
        title="No streams yet"
        description="Partner streams appear here once they are added."
      />
    )
  }
  return (
    <ul className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
      {streams.map((stream) => {
        const streamSessionId = stream.currentStreamId
        return (
          <li key={stream.id} className="has-data-slim:order-first has-data-slim:col-span-full">
            <StreamCard
              stream={stream}
              completion={
                streamSessionId === null
                  ? lastCompletion(stream, completions)
                  : currentCompletion(stream, completions)
              }
              session={running.find(({ streamId }) => streamId === stream.id)}
              countingName={countingName(running)}
              startError={
                streamSessionId === null
                  ? undefined
                  : startErrors.get(broadcastKey({ streamId: stream.id, streamSessionId }))
              }
            />
          </li>
        )
      })}
    </ul>
  )
}

interface WatchSectionProps<T> {
  readonly title: string
  /** What it is that could not be loaded, for example 'streams'. */
  readonly what: string
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** True while the parts above are not known: then this one waits with them. */
  readonly isWaiting: boolean
  readonly children: (data: T) => ReactNode
}

/** Data that was loaded once stays when a later poll fails; a line says that it may be old. */
function WatchSection<T>({ title, what, query, isWaiting, children }: WatchSectionProps<T>) {
  const id = useId()
  const { error, isFetching, refetch } = query
  const data = isWaiting ? undefined : query.data
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-4 text-2xl">
        {title}
      </h2>
      <DataState
        query={{ data, error: isWaiting ? null : error, isFetching, refetch }}
        what={what}
        description="We also try again automatically."
        skeleton={sectionShape}
        className=""
        isOnPage
        isBrief
      >
        {children}
      </DataState>
      {data !== undefined && error && (
        <p className="mt-3 text-sm text-warning">
          The last update failed; this may be a moment old. We keep trying.
        </p>
      )}
    </section>
  )
}

const sectionShape = (
  <Card className="grid grid-cols-1 gap-4">
    <Skeleton className="h-7 w-48" />
    <Skeleton className="h-3 w-full" />
    <Skeleton className="h-6 w-64 max-w-full" />
  </Card>
)
