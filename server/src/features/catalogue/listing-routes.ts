// Store listings over HTTP, for staff.

import { adminStoreContract as contract } from '@redpack/contract'
import { command, withAnswer } from '../../adapters/http/command.ts'
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

const sorted = { success: true, message: 'Listings sorted successfully' } as const
const deleted = { success: true, message: 'Listing deleted successfully' } as const

export function registerAdminStore(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, contract.list, () => listingsForStaff(deps.db))
  command(context, contract.create, { order: ({ body }) => body, run: createListing })
  command(context, contract.update, {
    order: ({ params, body }) => [params.id, body] as const,
    run: (tx, by, [id, change]) => updateListing(tx, by, id, change),
  })
  command(context, contract.sort, {
    order: ({ body }) => body.orders,
    run: async (tx, by, orders) => withAnswer(await sortListings(tx, by, orders), sorted),
  })
  command(context, contract.remove, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) => withAnswer(await deleteListing(tx, by, id), deleted),
  })
  command(context, contract.restore, { order: ({ params }) => params.id, run: undeleteListing })
}
