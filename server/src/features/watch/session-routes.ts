// What viewers see of streams and of their watch sessions, and the calls that answer with one.

import { type Stream, watchContract } from '@redpack/contract'
import { serveConditional } from '../../adapters/http/conditional-get.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { ResponseCache } from '../../adapters/http/response-cache.ts'
import { activeStreams, gatherWatchReads, watchSessionOf } from './session-views.ts'
import { selectActiveStream, startSession } from './watch-sessions.ts'

/** How old what is said about late beats may be, at most. */
const standingMillis = 10_000

export function registerWatch(context: FeatureContext): void {
  const { app, deps, guards } = context
  const streams = new ResponseCache<'streams', Stream[]>(deps, {
    // Rewards show the names of pack types.
    isStaleAfter: ({ type }) => type === 'streams_changed' || type === 'catalogue_changed',
    entriesMax: 1,
  })
  serve(app, guards, watchContract.streams, () =>
    streams.get('streams', () => activeStreams(deps.db)),
  )
  // Whether a beat is late follows from the time, so what was made stands for seconds only.
  const changesInTime = {
    sameFor: 'caller' as const,
    moment: () => String(Math.floor(deps.clock.now().getTime() / standingMillis)),
  }
  const { sessions, completions } = gatherWatchReads(deps.db, () => deps.clock.now())
  serveConditional(context, watchContract.sessions, changesInTime, ({ actor }) =>
    sessions.enqueue(actor.userId),
  )
  serve(app, guards, watchContract.startSession, async ({ actor, body }) => {
    await startSession(deps, actor.userId, body)
    return watchSessionOf(deps.db, actor.userId, body, deps.clock.now())
  })
  serve(app, guards, watchContract.selectActiveStream, async ({ actor, params }) => {
    const order = await selectActiveStream(deps, actor.userId, params.id)
    return watchSessionOf(deps.db, actor.userId, order, deps.clock.now())
  })
  serve(app, guards, watchContract.completions, ({ actor }) => completions.enqueue(actor.userId))
}
