// Listings of the store over HTTP, as staff keep them.

import { adminStoreContract as store } from '@redpack/contract'
import { command, withSentence } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import {
  createListing,
  deleteListing,
  listingsForStaff,
  sortListings,
  undeleteListing,
  updateListing,
} from './listings.ts'

export function registerAdminStore(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, store.list, () => listingsForStaff(deps.db))
  command(context, store.create, { order: ({ body }) => body, run: createListing })
  command(context, store.update, {
    order: ({ params, body }) => [params.id, body] as const,
    run: (tx, by, [id, change]) => updateListing(tx, by, id, change),
  })
  command(context, store.sort, {
    order: ({ body }) => body.orders,
    run: async (tx, by, orders) =>
      withSentence(await sortListings(tx, by, orders), 'Listings sorted successfully'),
  })
  command(context, store.remove, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) =>
      withSentence(await deleteListing(tx, by, id), 'Listing deleted successfully'),
  })
  command(context, store.restore, { order: ({ params }) => params.id, run: undeleteListing })
}
