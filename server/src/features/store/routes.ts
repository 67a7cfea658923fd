// The store over HTTP.

import { storeContract } from '@redpack/contract'
import { serveChanging } from '../../adapters/http/changing-answers.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { onceAnswer } from '../../adapters/http/once-answer.ts'
import { purchasePacks } from './purchase-packs.ts'
import { listingsForPlayers } from './views.ts'

export function registerStore(context: FeatureContext): void {
  const { app, world, guards } = context
  serveChanging(context, storeContract.listings, { sameFor: 'everyone' }, () =>
    listingsForPlayers(world.db),
  )
  serve(app, guards, storeContract.purchase, async ({ actor, body, idempotencyKey }) => {
    const { storePackListingId: listingId, quantity, expectedPrice } = body
    const order = { listingId, quantity, expectedPrice, idempotencyKey }
    return onceAnswer(storeContract.purchase, await purchasePacks(world, actor.userId, order))
  })
}
