// Watch Rewards: what is being watched now, what can be watched, and what has been completed.

import type { Stream, WatchCompletion, WatchSession } from '@redpack/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { Radio, Timer } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import {
  broadcastKey,
  countingName,
  currentCompletion,
  lastCompletion,
  runningSessions,
} from '../features/watch/broadcasts.ts'
import { CurrentSession } from '../features/watch/current-session.tsx'
import { useStreams, useWatchCompletions, useWatchSessions } from '../features/watch/queries.ts'
import { CompletedWatches, StreamCard } from '../features/watch/stream-card.tsx'
import {
  type StartErrors,
  useAutoStart,
  useCompletionNews,
  useInitialDataReady,
} from '../features/watch/use-watching.ts'
import { askAgain, LoadErrorCard, Loading, Skeleton } from '../ui/feedback/data-state.tsx'
import { Empty } from '../ui/feedback/empty.tsx'
import { Card } from '../ui/layout/card.tsx'
import { PageHeading } from '../ui/layout/headings.tsx'

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
      <Card>
        <Empty
          picture={<Timer aria-hidden="true" strokeWidth={1.5} />}
          title="You are not watching a stream"
          description={
            isAnyLive
              ? 'The streams below show what is missing.'
              : 'No partner stream is live. Tracking starts automatically when one goes live.'
          }
        />
      </Card>
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
      <Card>
        <Empty
          picture={<Radio aria-hidden="true" strokeWidth={1.5} />}
          title="No streams yet"
          description="Partner streams appear here once they are added."
        />
      </Card>
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
  const { error } = query
  const data = isWaiting ? undefined : query.data
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-4 text-2xl">
        {title}
      </h2>
      {data !== undefined && children(data)}
      {data !== undefined && error && (
        <p className="mt-3 text-sm text-warning">
          The last update failed; this may be a moment old. We keep trying.
        </p>
      )}
      {data === undefined && error && !isWaiting && (
        <LoadErrorCard
          title={`Error loading ${what}`}
          description="We try again by ourselves, too."
          {...askAgain(query)}
        />
      )}
      {data === undefined && (isWaiting || !error) && <SectionSkeleton label={`Loading ${what}`} />}
    </section>
  )
}

function SectionSkeleton({ label }: { readonly label: string }) {
  return (
    <Loading label={label}>
      <Card className="grid grid-cols-1 gap-4">
        <Skeleton className="h-7 w-48" />
        <Skeleton className="h-3 w-full" />
        <Skeleton className="h-6 w-64 max-w-full" />
      </Card>
    </Loading>
  )
}
