// The opening of packs over HTTP.

import { packsContract } from '@redpack/contract'
import { idempotentAnswer, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import type { OddsCache } from './odds-cache.ts'
import { Opening } from './open-packs.ts'

export function registerOpening({ app, deps, guards }: FeatureContext, odds: OddsCache): void {
  const opening = new Opening(deps, odds)
  serve(app, guards, packsContract.open, async ({ actor, body, idempotencyKey }) => {
    const order = { ...body, idempotencyKey }
    return idempotentAnswer(packsContract.open, await opening.open(actor.userId, order))
  })
}
