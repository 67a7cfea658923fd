// The caller's notices over HTTP.

import { noticesContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { readNotices } from './read-notices.ts'
import { noticesOf } from './views.ts'

export function registerNotices({ app, world, guards }: FeatureContext): void {
  serve(app, guards, noticesContract.list, ({ actor }) =>
    noticesOf(world.db, actor.userId, world.clock.now()),
  )
  serve(app, guards, noticesContract.read, async ({ actor, body }) => {
    const until = await readNotices(world, actor.userId, new Date(body.readUntil))
    return { readUntil: until.toISOString() }
  })
}
