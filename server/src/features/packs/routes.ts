// Packs over HTTP.

import { packsContract } from '@redpack/contract'
import { serveChanging } from '../../adapters/http/changing-answers.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { onceAnswer } from '../../adapters/http/once-answer.ts'
import { OddsCache } from './odds-cache.ts'
import { openPacks } from './open-packs.ts'
import { Turns } from './turns.ts'
import { holdingsOf, latestOpenings, packTypesForPlayers, playerStats } from './views.ts'

export function registerPacks(context: FeatureContext, catchUpLog: () => Promise<void>): void {
  const { app, world, guards } = context
  const odds = new OddsCache()
  const opening = { odds, turns: new Turns(), catchUpLog }
  serveChanging(context, packsContract.stats, { sameFor: 'caller' }, ({ actor }) =>
    playerStats(world.db, actor.userId),
  )
  serve(app, guards, packsContract.openings, ({ actor }) => latestOpenings(world.db, actor.userId))
  serveChanging(context, packsContract.holdings, { sameFor: 'caller' }, async ({ actor }) =>
    holdingsOf(world.db, actor.userId, await odds.hashes(world.db)),
  )
  serveChanging(context, packsContract.types, { sameFor: 'everyone' }, async () =>
    packTypesForPlayers(world.db, await odds.hashes(world.db)),
  )
  serve(app, guards, packsContract.open, async ({ actor, body, idempotencyKey }) => {
    const { packTypeId, quantity, oddsHash } = body
    const order = { packTypeId, quantity, oddsHash, idempotencyKey }
    return onceAnswer(packsContract.open, await openPacks(world, opening, actor.userId, order))
  })
}
