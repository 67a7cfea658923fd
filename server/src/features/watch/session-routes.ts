// Watching streams for rewards over HTTP.

import { watchContract } from '@redpack/contract'
import { serveConditional } from '../../adapters/http/conditional-get.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { ResponseCache, sendReady } from '../../adapters/http/response-cache.ts'
import { creditHeartbeat } from './credit-heartbeat.ts'
import {
  activeStreams,
  watchCompletionsOf,
  watchSessionOf,
  watchSessionsOf,
} from './session-views.ts'
import { startSession } from './start-session.ts'

export function registerWatch(context: FeatureContext): void {
  const { app, deps, guards } = context
  const streams = new ResponseCache<'streams'>(deps, {
    // Rewards show the names of pack types.
    isStaleAfter: ({ type }) => type === 'streams_changed' || type === 'catalogue_changed',
    entriesMax: 1,
  })
  serve(app, guards, watchContract.streams, async ({ request, reply }) =>
    sendReady(request, reply, await streams.get('streams', () => activeStreams(deps.db))),
  )
  serveConditional(context, watchContract.sessions, { sameFor: 'caller' }, ({ actor }) =>
    watchSessionsOf(deps.db, actor.userId),
  )
  serve(app, guards, watchContract.startSession, async ({ actor, body }) => {
    await startSession(deps, actor.userId, body)
    return watchSessionOf(deps.db, actor.userId, body)
  })
  serve(app, guards, watchContract.completions, ({ actor }) =>
    watchCompletionsOf(deps.db, actor.userId),
  )
  serve(app, guards, watchContract.heartbeat, ({ actor, body }) =>
    creditHeartbeat(deps, actor.userId, body),
  )
}
