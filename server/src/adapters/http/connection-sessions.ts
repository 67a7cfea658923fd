// Closes pages whose session has ended, also where no event told of it.

import { becauseOf } from '../log/because-of.ts'
import type { ConnectionHub } from './connection-hub.ts'
import type { FeatureContext } from './feature-context.ts'

/** Twice in the time within which a page must be closed, and once to spare. */
const lookMillis = 500

/**
 * Twice a second asks the database which sessions have ended, so that pages close within two
 * seconds however events travel between processes, or do not. One short statement does it for all
 * pages of the process; the sessions themselves are read when a page is new, when their time is
 * over, and now and then. Answers how to stop.
 */
export function lookAtSessions(
  hub: ConnectionHub,
  { deps, guards }: Pick<FeatureContext, 'deps' | 'guards'>,
): () => void {
  let since: Date | undefined
  let isLooking = false
  let hasFailed = false

  async function look(): Promise<void> {
    if (hub.isEmpty()) {
      since = undefined
      return
    }
    const ended = await guards.endedSessions(since)
    since = ended?.asOf
    if (ended === undefined) hub.lookAtAll()
    else hub.endSessions(ended.sessionHashes)
    const nowMillis = deps.clock.now().getTime()
    const due = hub.sessionsToLookAt(nowMillis)
    if (due.length > 0) hub.endOverdue(due, await guards.sessionEnds(due), nowMillis)
    hasFailed = false
  }

  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    look()
      .catch((error: unknown) => {
        // Tried again soon; a database that is away for long is not told of each time.
        const because = becauseOf(error)
        if (!hasFailed) {
          deps.log.warn({ err: error, ...because }, 'sessions of open pages not readable')
        }
        hasFailed = true
      })
      .finally(() => {
        isLooking = false
      })
  }, lookMillis)
  timer.unref()
  return () => clearInterval(timer)
}
