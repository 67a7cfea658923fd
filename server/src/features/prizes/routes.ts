// Prizes over HTTP, for staff. What players see of them stands with packs and claims.

import { adminPrizesContract as contract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { onceAnswer } from '../../adapters/http/once-answer.ts'
import { staffCall } from '../../adapters/http/staff-call.ts'
import type { Images } from '../../adapters/images/images.ts'
import { changeStock } from './change-stock.ts'
import { createPrize } from './create-prize.ts'
import { deletePrize, undeletePrize } from './delete-prize.ts'
import { updatePrize } from './update-prize.ts'
import { prizesForStaff } from './views.ts'

export function registerPrizes({ app, world, guards }: FeatureContext, images: Images): void {
  serve(app, guards, contract.list, () => prizesForStaff(world.db))
  serve(app, guards, contract.create, async (call) => {
    const staff = staffCall(contract.create, call)
    return onceAnswer(contract.create, await createPrize(world, images, staff, call.body))
  })
  serve(app, guards, contract.update, async (call) => {
    const staff = staffCall(contract.update, call)
    return onceAnswer(
      contract.update,
      await updatePrize(world, images, staff, call.params.id, call.body),
    )
  })
  serve(app, guards, contract.remove, async (call) => {
    await deletePrize(world, staffCall(contract.remove, call), call.params.id)
    return { success: true as const, message: 'Prize deleted successfully' }
  })
  serve(app, guards, contract.restore, (call) =>
    undeletePrize(world, staffCall(contract.restore, call), call.params.id),
  )
  serve(app, guards, contract.addInventory, async (call) => {
    const staff = staffCall(contract.addInventory, call)
    const change = { add: call.body.quantity }
    return onceAnswer(
      contract.addInventory,
      await changeStock(world, staff, call.params.id, change),
    )
  })
  serve(app, guards, contract.setInventory, async (call) => {
    const staff = staffCall(contract.setInventory, call)
    const change = { set: call.body.quantity }
    return onceAnswer(
      contract.setInventory,
      await changeStock(world, staff, call.params.id, change),
    )
  })
}
