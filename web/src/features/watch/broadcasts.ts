// Which session and which completion belong to the broadcast that a stream shows now.

import type { Stream, WatchCompletion, WatchSession } from '@redpack/contract'
import { heartbeatCreditSecondsMax } from '@redpack/contract/limits'
import { ApiError } from '../../lib/api-error.ts'
import { formatDuration } from '../../lib/format.ts'

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

interface Startable {
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

/** Watch time where a stream does not say its own, in seconds. */
const requiredSecondsDefault = 3600

/** How often sessions are asked for, in milliseconds. */
export const sessionsPollMs = 10_000

/** Watch time a stream asks for, in seconds. */
export function requiredSeconds(stream: { readonly watchTimeRequired?: number | null }): number {
  const { watchTimeRequired } = stream
  return watchTimeRequired && watchTimeRequired > 0 ? watchTimeRequired : requiredSecondsDefault
}

/** Total watch time divided by required time, in percent, 0 to 100. */
export function progressPercent(watchedSeconds: number, required: number): number {
  if (!(watchedSeconds > 0)) return 0
  return Math.min(100, (watchedSeconds / required) * 100)
}

/** What a session that goes on shows at most, in percent: the rest comes with its completion. */
const unfinishedMax = 99

/** Percent of a session that is not completed yet, by what the server has counted. */
export function unfinishedPercent(watchedSeconds: number, required: number): number {
  return Math.min(unfinishedMax, progressPercent(watchedSeconds, required))
}

/** Quarters that are announced while a session runs; the end is announced with its rewards. */
const quarters = [75, 50, 25] as const

/** The highest quarter passed between two percentages; undefined when none was. */
export function quarterPassed(before: number, now: number): number | undefined {
  return quarters.find((quarter) => before < quarter && now >= quarter)
}

export interface NotCountingReason {
  readonly kind: 'counting' | 'waiting' | 'stopped' | 'done'
  readonly text: string
}

/** How the last heartbeat of a session went. */
export interface BeatState {
  /** Why it failed; undefined while all is well. */
  readonly error?: unknown
  /** How long the page slept before it, in milliseconds; undefined when it was on time. */
  readonly pausedMs?: number
}

const notCountingStatuses: readonly number[] = [404, 409]

/** The server's own sentence when it said that time does not count. */
function errorSentence(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const isRefused = notCountingStatuses.includes(error.status) || error.code === 'suspended'
  return (isRefused && error.serverMessage) || undefined
}

/** Why-line of a running session. */
export function sessionReason({ error, pausedMs }: BeatState): NotCountingReason {
  if (error !== undefined) {
    const sentence = errorSentence(error)
    if (sentence) return { kind: 'stopped', text: sentence }
    return {
      kind: 'waiting',
      text: `The last check-in failed. We retry within a minute, and up to ${heartbeatCreditSecondsMax} seconds still count.`,
    }
  }
  if (pausedMs !== undefined) {
    return {
      kind: 'counting',
      text: `This page was paused for ${formatDuration(pausedMs / 1000)}; up to ${heartbeatCreditSecondsMax} seconds of that count. Your time is counting again.`,
    }
  }
  return { kind: 'counting', text: 'Your time is counting. Keep this page open.' }
}

type Standing = Pick<WatchSession, 'isCounting' | 'notCountingBecause'>

const sentences = {
  blocked: 'Your account cannot earn rewards, so watch time does not count',
  offline: 'Twitch does not say whether this stream is live, so watch time does not count',
  not_in_chat: 'You are not in the chat of this stream, so watch time does not count',
  late_beat: 'The last check-in is late. Your time counts again with the next one.',
} as const

/**
 * Why-line of a session that goes on and for which the viewer's clock does not count; undefined
 * where it does. `countingName` is the stream for which it does.
 */
export function clockReason(
  { isCounting, notCountingBecause: because }: Standing,
  countingName: string | undefined,
): NotCountingReason | undefined {
  if (because === null) {
    return isCounting ? undefined : { kind: 'stopped', text: sentences.blocked }
  }
  if (because === 'other_stream') {
    return {
      kind: 'stopped',
      text: `Your time counts for ${countingName ?? 'another stream'} now.`,
    }
  }
  return { kind: because === 'late_beat' ? 'waiting' : 'stopped', text: sentences[because] }
}

export interface StreamState {
  readonly stream: Stream
  /** Completion of the broadcast that is live, or while none is live of the last one. */
  readonly completion: WatchCompletion | undefined
  /** The running session of the live broadcast. */
  readonly session: WatchSession | undefined
  /** Name of the stream for which time counts. */
  readonly countingName: string | undefined
  /** Why the session could not be started. */
  readonly startError: unknown
}

/** Why-line of a stream in the list; undefined while its time counts. */
export function streamReason(state: StreamState): NotCountingReason | undefined {
  const { stream, completion, session, countingName, startError } = state
  if (!stream.isLive) {
    return { kind: 'stopped', text: 'This stream is offline, so watch time does not count' }
  }
  if (completion) return { kind: 'done', text: 'You have already completed this stream' }
  if (session) return clockReason(session, countingName)
  if (startError !== undefined) {
    const sentence = errorSentence(startError)
    if (sentence) return { kind: 'stopped', text: sentence }
    return { kind: 'waiting', text: 'Failed to start watch session. We try again in a minute.' }
  }
  if (stream.currentStreamId === null) {
    return {
      kind: 'waiting',
      text: 'The broadcast is just starting. Tracking begins automatically.',
    }
  }
  return { kind: 'waiting', text: 'Starting to track your time...' }
}
