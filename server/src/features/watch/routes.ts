// Watching streams for rewards over HTTP.

import { watchContract } from '@redpack/contract'
import { serveChanging } from '../../adapters/http/changing-answers.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { ReadyAnswers, sendReady } from '../../adapters/http/ready-answers.ts'
import { creditHeartbeat } from './credit-heartbeat.ts'
import { startSession } from './start-session.ts'
import { activeStreams, watchCompletionsOf, watchSessionOf, watchSessionsOf } from './views.ts'

export function registerWatch(context: FeatureContext): void {
  const { app, world, guards } = context
  const streams = new ReadyAnswers<'streams'>(world, {
    // Rewards show the names of pack types.
    isStaleAfter: ({ type }) => type === 'streams_changed' || type === 'catalogue_changed',
    entriesMax: 1,
  })
  serve(app, guards, watchContract.streams, async ({ request, reply }) =>
    sendReady(request, reply, await streams.get('streams', () => activeStreams(world.db))),
  )
  serveChanging(context, watchContract.sessions, { sameFor: 'caller' }, ({ actor }) =>
    watchSessionsOf(world.db, actor.userId),
  )
  serve(app, guards, watchContract.startSession, async ({ actor, body }) => {
    await startSession(world, actor.userId, body)
    return watchSessionOf(world.db, actor.userId, body)
  })
  serve(app, guards, watchContract.completions, ({ actor }) =>
    watchCompletionsOf(world.db, actor.userId),
  )
  serve(app, guards, watchContract.heartbeat, ({ actor, body }) =>
    creditHeartbeat(world, actor.userId, body),
  )
}
