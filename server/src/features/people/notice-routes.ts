// The caller's notices over HTTP.

import { noticesContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { noticesOf } from './notice-views.ts'
import { readNotices } from './read-notices.ts'

export function registerNotices({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, noticesContract.list, ({ actor }) =>
    noticesOf(deps.db, actor.userId, deps.clock.now()),
  )
  serve(app, guards, noticesContract.read, async ({ actor, body }) => {
    const until = await readNotices(deps, actor.userId, new Date(body.readUntil))
    return { readUntil: until.toISOString() }
  })
}
