// Says whether watch time counts now, and if not, why.

import type { NotCounting, Stream, WatchCompletion, WatchSession } from '@redpack/contract'
import { heartbeatCreditSecondsMax } from '@redpack/contract/limits'
import { ApiError } from '../../lib/api-error.ts'
import { formatDuration } from '../../lib/format.ts'

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
  if (!(error instanceof ApiError) || !notCountingStatuses.includes(error.status)) return undefined
  return error.serverMessage || undefined
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
  return {
    kind: 'counting',
    text: 'Your time is counting. Keep this page open.',
  }
}

const sentences = {
  offline: 'Twitch does not say whether this stream is live, so watch time does not count',
  not_in_chat: 'You are not in the chat of this stream, so watch time does not count',
  late_beat: 'The last check-in is late. Your time counts again with the next one.',
} as const

/**
 * Why-line of a session for which the viewer's clock does not count; undefined where it does.
 * `countingName` is the stream for which it does.
 */
export function clockReason(
  because: NotCounting | null,
  countingName: string | undefined,
): NotCountingReason | undefined {
  if (because === null) return undefined
  if (because === 'other_stream') {
    const where = countingName === undefined ? 'another stream' : countingName
    return { kind: 'stopped', text: `Your time counts for ${where} now.` }
  }
  return { kind: because === 'late_beat' ? 'waiting' : 'stopped', text: sentences[because] }
}

export interface StreamState {
  readonly stream: Stream
  /** Completion of the broadcast that is live. */
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
  if (session) return clockReason(session.notCountingBecause, countingName)
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
