// How watching a stream becomes seconds, and why it sometimes does not.

import { heartbeatCreditSecondsMax } from '@redpack/contract/limits'
import { DomainError } from '../shared/domain-error.ts'

/** Sessions or completions of one viewer in one answer, the newest ones. */
export const watchListMax = 200

/** What a stream looks like to somebody who wants to watch it. */
export interface WatchedStream {
  readonly isActive: boolean
  readonly isLive: boolean
  /** Our id of the broadcast that is live, null while none is. */
  readonly currentStreamId: string | null
}

/** What one heartbeat adds. */
export interface WatchCredit {
  /** Whole seconds, 0 to `heartbeatCreditSecondsMax`. */
  readonly seconds: number
  /**
   * Up to here time has been counted; the next credit starts from it. Never before `lastCountedAt`.
   */
  readonly countedUntil: Date
}

/**
 * Credit for a heartbeat at `now`: the time since the session was last counted or the viewer was
 * last credited for any stream, whichever is later, at most 90 s however long the gap.
 * Counting from the later of the two is what makes many tabs and streams share one clock.
 *
 * A broken second is left for the next beat, so that fast beats lose nothing. A clock that was set
 * back credits nothing until it has caught up.
 */
export function creditWatchTime(
  now: Date,
  sessionCountedAt: Date,
  viewerCreditedAt: Date | null,
): WatchCredit {
  const from = Math.max(sessionCountedAt.getTime(), viewerCreditedAt?.getTime() ?? 0)
  const elapsedMillis = now.getTime() - from
  if (elapsedMillis <= 0) return { seconds: 0, countedUntil: new Date(from) }
  const seconds = Math.floor(elapsedMillis / 1000)
  if (seconds >= heartbeatCreditSecondsMax) {
    return { seconds: heartbeatCreditSecondsMax, countedUntil: now }
  }
  return { seconds, countedUntil: new Date(from + seconds * 1000) }
}

/** @throws DomainError wrong_state for an account that staff have shut out from earning */
export function requireEarning(isEarningBlocked: boolean): void {
  if (isEarningBlocked) {
    throw new DomainError(
      'wrong_state',
      'Your account cannot earn rewards, so watch time does not count',
    )
  }
}

/** True while a session that is not completed counts time. */
export function isWatchable(stream: WatchedStream, streamSessionId: string): boolean {
  return stream.isActive && stream.isLive && stream.currentStreamId === streamSessionId
}

/**
 * Lets a session of this broadcast begin or go on counting.
 * @throws DomainError wrong_state with the reason for which time does not count
 */
export function requireWatchable(stream: WatchedStream, streamSessionId: string): void {
  if (!stream.isActive) {
    throw new DomainError('wrong_state', 'This stream is not active, so watch time does not count')
  }
  if (!stream.isLive) {
    throw new DomainError('wrong_state', 'This stream is offline, so watch time does not count')
  }
  if (stream.currentStreamId !== streamSessionId) {
    throw new DomainError('wrong_state', 'This broadcast is over, so watch time does not count')
  }
}
