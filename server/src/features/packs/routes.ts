// Packs over HTTP.

import { packsContract, storeContract } from '@redpack/contract'
import { command } from '../../adapters/http/command.ts'
import { serveConditional } from '../../adapters/http/conditional-get.ts'
import { idempotentAnswer, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { Opening } from './open-packs.ts'
import {
  holdingsOf,
  latestOpenings,
  listingsForPlayers,
  packTypesForPlayers,
  playerStats,
} from './pack-views.ts'
import { type PurchaseOrder, purchasePacks } from './purchase-packs.ts'

export function registerPacks(context: FeatureContext): void {
  const { app, deps, guards } = context
  const opening = new Opening(deps)
  const { odds } = opening
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
  serve(app, guards, packsContract.open, async ({ actor, body, idempotencyKey }) => {
    const order = { ...body, idempotencyKey }
    return idempotentAnswer(packsContract.open, await opening.open(actor.userId, order))
  })
}

export function registerStore(context: FeatureContext): void {
  const { deps } = context
  serveConditional(context, storeContract.listings, { sameFor: 'everyone' }, () =>
    listingsForPlayers(deps.db),
  )
  command(context, storeContract.purchase, {
    order: ({
      body: { storePackListingId: listingId, quantity, expectedPrice },
    }): PurchaseOrder => {
      return { listingId, quantity, expectedPrice }
    },
    input: ({ listingId, quantity, expectedPrice }) =>
      expectedPrice === undefined ? [listingId, quantity] : [listingId, quantity, expectedPrice],
    run: purchasePacks,
  })
}
