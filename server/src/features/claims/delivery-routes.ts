// Delivery details over HTTP.

import { Delivery, type DeliveryResponse, deliveryContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { type DeliveryForWinner, readDelivery, saveDelivery } from './deliveries.ts'

export function registerDelivery({ app, deps, guards }: FeatureContext): void {
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
