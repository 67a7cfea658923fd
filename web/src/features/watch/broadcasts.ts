// Which session and which completion belong to the broadcast that a stream shows now.

import type { Stream, WatchCompletion, WatchSession } from '@redpack/contract'

interface OfBroadcast {
  readonly streamId: number
  readonly streamSessionId: string
}

function isOfCurrent(stream: Stream, { streamId, streamSessionId }: OfBroadcast): boolean {
  return streamId === stream.id && streamSessionId === stream.currentStreamId
}

/** Names a broadcast in the browser's own books. */
export function broadcastKey({ streamId, streamSessionId }: OfBroadcast): string {
  return `${streamId}/${streamSessionId}`
}

/** The completion of the broadcast that is live, if there is one. */
export function currentCompletion(
  stream: Stream,
  completions: readonly WatchCompletion[],
): WatchCompletion | undefined {
  return completions.find((completion) => isOfCurrent(stream, completion))
}

/** The newest completion of any broadcast of this stream. */
export function lastCompletion(
  stream: Stream,
  completions: readonly WatchCompletion[],
): WatchCompletion | undefined {
  return completions.find(({ streamId }) => streamId === stream.id)
}

/** Sessions that are running: active ones of live streams, the one that was first at the top. */
export function runningSessions(sessions: readonly WatchSession[]): WatchSession[] {
  return sessions
    .filter(({ isActive, isCompleted, stream }) => isActive && !isCompleted && stream.isLive)
    .sort((a, b) => a.id - b.id)
}

/** Name of the stream whose session has the viewer's clock; undefined while none has it. */
export function countingName(sessions: readonly WatchSession[]): string | undefined {
  return sessions.find(
    ({ isCounting, notCountingBecause }) => isCounting || notCountingBecause === 'late_beat',
  )?.stream.displayName
}

export interface Startable {
  readonly stream: Stream
  readonly streamSessionId: string
}

/**
 * Streams whose session is to be started: live with a broadcast, without a completion of it and
 * without an active session.
 */
export function startableStreams(
  streams: readonly Stream[],
  sessions: readonly WatchSession[],
  completions: readonly WatchCompletion[],
): Startable[] {
  return streams.flatMap((stream) => {
    const streamSessionId = stream.currentStreamId
    if (!stream.isLive || streamSessionId === null) return []
    if (currentCompletion(stream, completions)) return []
    // A session of this broadcast that is not active cannot be made so: the stream has gone
    // meanwhile.
    const isKnown = sessions.some((session) => isOfCurrent(stream, session))
    return isKnown ? [] : [{ stream, streamSessionId }]
  })
}
