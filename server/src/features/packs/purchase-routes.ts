// The purchase of packs over HTTP.

import { storeContract } from '@redpack/contract'
import { command } from '../../adapters/http/command.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { purchasePacks } from './purchase-packs.ts'

export function registerPurchases(context: FeatureContext): void {
  command(context, storeContract.purchase, {
    order: ({ body: { storePackListingId: listingId, ...more } }) => ({ listingId, ...more }),
    input: ({ listingId, quantity, expectedPrice }) =>
      expectedPrice === undefined ? [listingId, quantity] : [listingId, quantity, expectedPrice],
    run: purchasePacks,
  })
}
