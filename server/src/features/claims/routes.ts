// The caller's prize claims and their delivery details over HTTP.

import {
  claimsContract,
  Delivery,
  type DeliveryResponse,
  deliveryContract,
} from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { claimsPage } from './claim-views.ts'
import { type DeliveryForWinner, readDelivery, saveDelivery } from './deliveries.ts'

export function registerClaims({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, claimsContract.list, ({ actor, query }) =>
    claimsPage(deps.db, actor.userId, query),
  )
  serve(app, guards, deliveryContract.read, async ({ actor, params }) =>
    answerFor(await readDelivery(deps, actor.userId, params.claimId)),
  )
  serve(app, guards, deliveryContract.save, async ({ actor, params, body }) => {
    await saveDelivery(deps, actor.userId, params.claimId, body)
    return answerFor(await readDelivery(deps, actor.userId, params.claimId))
  })
}

/**
 * Staff may have stored contact details of another form, which the form of the page cannot show.
 */
function answerFor({ claimId, saved, canChange }: DeliveryForWinner): DeliveryResponse {
  return { claimId, delivery: Delivery.safeParse(saved).data ?? null, canChange }
}
