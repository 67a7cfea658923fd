// What players see of their packs and of the store.

import { packsContract, storeContract } from '@redpack/contract'
import { serveConditional } from '../../adapters/http/conditional-get.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { OddsCache } from './odds-cache.ts'
import {
  holdingsOf,
  latestOpenings,
  listingsForPlayers,
  packTypesForPlayers,
  playerStats,
} from './pack-views.ts'

/** Answers the odds that players are shown, for those who draw by them. */
export function registerPacks(context: FeatureContext): OddsCache {
  const { app, deps, guards } = context
  const odds = new OddsCache(deps.db)
  serveConditional(context, packsContract.stats, { sameFor: 'caller' }, ({ actor }) =>
    playerStats(deps.db, actor.userId),
  )
  serve(app, guards, packsContract.openings, ({ actor }) => latestOpenings(deps.db, actor.userId))
  serveConditional(context, packsContract.holdings, { sameFor: 'caller' }, async ({ actor }) =>
    holdingsOf(deps.db, actor.userId, await odds.hashes(deps.db)),
  )
  serveConditional(context, packsContract.types, { sameFor: 'everyone' }, async () =>
    packTypesForPlayers(deps.db, await odds.hashes(deps.db)),
  )
  serveConditional(context, storeContract.listings, { sameFor: 'everyone' }, () =>
    listingsForPlayers(deps.db),
  )
  return odds
}
