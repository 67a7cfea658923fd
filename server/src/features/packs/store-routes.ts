// The store over HTTP.

import { storeContract } from '@redpack/contract'
import { command } from '../../adapters/http/command.ts'
import { serveConditional } from '../../adapters/http/conditional-get.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { type PurchaseOrder, purchasePacks } from './purchase-packs.ts'
import { listingsForPlayers } from './store-views.ts'

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
