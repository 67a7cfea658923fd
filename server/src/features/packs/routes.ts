// Packs over HTTP.

import { packsContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { onceAnswer } from '../../adapters/http/once-answer.ts'
import { OddsCache } from './odds-cache.ts'
import { openPacks } from './open-packs.ts'
import { Turns } from './turns.ts'
import { holdingsOf, latestOpenings, packTypesForPlayers, playerStats } from './views.ts'

export function registerPacks({ app, world, guards }: FeatureContext): void {
  const opening = { odds: new OddsCache(), turns: new Turns() }
  serve(app, guards, packsContract.stats, ({ actor }) => playerStats(world.db, actor.userId))
  serve(app, guards, packsContract.openings, ({ actor }) => latestOpenings(world.db, actor.userId))
  serve(app, guards, packsContract.holdings, ({ actor }) => holdingsOf(world.db, actor.userId))
  serve(app, guards, packsContract.types, () => packTypesForPlayers(world.db))
  serve(app, guards, packsContract.open, async ({ actor, body, idempotencyKey }) => {
    const { packTypeId, quantity } = body
    return onceAnswer(
      await openPacks(world, opening, actor.userId, { packTypeId, quantity, idempotencyKey }),
    )
  })
}
