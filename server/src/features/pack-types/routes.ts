// Pack types over HTTP, for staff. What players see of them stands with packs.

import { adminPackTypesContract as contract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { staffCall } from '../../adapters/http/staff-call.ts'
import type { Images } from '../../adapters/images/images.ts'
import { deletePackType, undeletePackType } from './delete-pack-type.ts'
import { createPackType, updatePackType } from './save-pack-type.ts'
import { imageOfPackType, packTypesForStaff } from './views.ts'

export function registerPackTypes({ app, world, guards }: FeatureContext, images: Images): void {
  serve(app, guards, contract.list, () => packTypesForStaff(world.db))
  serve(app, guards, contract.image, ({ params }) => imageOfPackType(world.db, params.id))
  serve(app, guards, contract.create, (call) =>
    createPackType(world, images, staffCall(contract.create, call), {
      ...call.body,
      file: call.file?.bytes,
    }),
  )
  serve(app, guards, contract.update, (call) =>
    updatePackType(world, images, staffCall(contract.update, call), call.params.id, {
      ...call.body,
      file: call.file?.bytes,
    }),
  )
  serve(app, guards, contract.remove, async (call) => {
    await deletePackType(world, staffCall(contract.remove, call), call.params.id)
    return { success: true as const, message: 'Pack type deleted successfully' }
  })
  serve(app, guards, contract.restore, (call) =>
    undeletePackType(world, staffCall(contract.restore, call), call.params.id),
  )
}
