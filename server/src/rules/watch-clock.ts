// Which of a viewer's sessions the viewer's one clock counts for.

import { heartbeatCreditSecondsMax } from '@redpack/contract/limits'
import { isLiveStale, type LiveState } from './live-state.ts'
import { isPresent, type Presence } from './presence.ts'

/** Why a session does not count though it is not completed. */
export type NotCounting = 'other_stream' | 'offline' | 'not_in_chat' | 'late_beat'

/** A session that is not completed, of a broadcast that is live. */
export interface OpenSession extends Presence, Pick<LiveState, 'checkedAt' | 'isByHand'> {
  readonly id: number
  /** Up to here its time was counted. */
  readonly countedAt: Date
  /** When the viewer last chose it, null for never. */
  readonly chosenAt: Date | null
}

/** An open session with what is said of its viewer. */
export interface OpenSessionOfViewer extends OpenSession {
  readonly userId: number
  /** Up to when the viewer was credited for any stream. */
  readonly creditedAt: Date | null
  readonly isEarningBlocked: boolean
}

/**
 * The session that the clock is for: of those that could count now the one chosen last, and while
 * none was chosen the one that was first. Undefined when none could count.
 */
export function clockHolder(open: readonly OpenSession[], now: Date): number | undefined {
  return open
    .filter((session) => obstacle(session, now) === undefined)
    .reduce<OpenSession | undefined>(
      (best, session) => (best === undefined || isBefore(session, best) ? session : best),
      undefined,
    )?.id
}

function isBefore(a: OpenSession, b: OpenSession): boolean {
  const [chosenA, chosenB] = [a.chosenAt?.getTime() ?? 0, b.chosenAt?.getTime() ?? 0]
  return chosenA === chosenB ? a.id < b.id : chosenA > chosenB
}

function obstacle(session: OpenSession, now: Date): NotCounting | undefined {
  if (isLiveStale(session, now)) return 'offline'
  return isPresent(session, now) ? undefined : 'not_in_chat'
}

/**
 * By session id why it does not count, null for the one that counts. `creditedAt` is up to when the
 * viewer was credited for any stream. A session whose beats have stopped keeps the clock, which
 * stands still until the next one.
 */
export function standings(
  open: readonly OpenSession[],
  creditedAt: Date | null,
  now: Date,
): ReadonlyMap<number, NotCounting | null> {
  const holder = clockHolder(open, now)
  return new Map(
    open.map((session) => {
      const because = obstacle(session, now)
      if (because !== undefined) return [session.id, because]
      if (session.id !== holder) return [session.id, 'other_stream']
      const countedMillis = Math.max(session.countedAt.getTime(), creditedAt?.getTime() ?? 0)
      const isLate = now.getTime() - countedMillis > heartbeatCreditSecondsMax * 1000
      return [session.id, isLate ? 'late_beat' : null]
    }),
  )
}
