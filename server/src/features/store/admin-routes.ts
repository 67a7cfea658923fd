// Store listings over HTTP, for staff.

import { adminStoreContract as contract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { onceAnswer } from '../../adapters/http/once-answer.ts'
import { staffCall } from '../../adapters/http/staff-call.ts'
import { listingsForStaff } from './admin-views.ts'
import { deleteListing, undeleteListing } from './delete-listing.ts'
import { createListing, updateListing } from './save-listing.ts'

export function registerAdminStore({ app, world, guards }: FeatureContext): void {
  serve(app, guards, contract.list, () => listingsForStaff(world.db))
  serve(app, guards, contract.create, async (call) =>
    onceAnswer(
      contract.create,
      await createListing(world, staffCall(contract.create, call), call.body),
    ),
  )
  serve(app, guards, contract.update, async (call) => {
    const staff = staffCall(contract.update, call)
    return onceAnswer(contract.update, await updateListing(world, staff, call.params.id, call.body))
  })
  serve(app, guards, contract.remove, async (call) => {
    await deleteListing(world, staffCall(contract.remove, call), call.params.id)
    return { success: true as const, message: 'Listing deleted successfully' }
  })
  serve(app, guards, contract.restore, (call) =>
    undeleteListing(world, staffCall(contract.restore, call), call.params.id),
  )
}
