// Prizes over HTTP, for staff. What players see of them stands with packs and claims.

import { adminPrizesContract as contract } from '@redpack/contract'
import { command, withAnswer } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { drawPicture } from './images.ts'
import {
  changeStock,
  createPrize,
  deletePrize,
  prizesForStaff,
  undeletePrize,
  updatePrize,
} from './prizes.ts'

const deleted = { success: true, message: 'Prize deleted successfully' } as const

export function registerPrizes(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, contract.list, () => prizesForStaff(deps.db))
  command(context, contract.create, {
    order: ({ body }) => body,
    prepare: ({ imageData }) => drawPicture(deps, imageData),
    run: createPrize,
  })
  command(context, contract.update, {
    order: ({ params, body }) => [params.id, body] as const,
    prepare: ([, { imageData }]) => drawPicture(deps, imageData),
    run: (tx, by, [id, change], picture) => updatePrize(tx, by, id, change, picture),
  })
  command(context, contract.remove, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) => withAnswer(await deletePrize(tx, by, id), deleted),
  })
  command(context, contract.restore, { order: ({ params }) => params.id, run: undeletePrize })
  command(context, contract.addInventory, {
    order: ({ params, body }) => [params.id, { add: body.quantity }] as const,
    run: (tx, by, [id, change]) => changeStock(tx, by, id, change),
  })
  command(context, contract.setInventory, {
    order: ({ params, body }) =>
      [params.id, { set: body.quantity, expected: body.expected }] as const,
    run: (tx, by, [id, change]) => changeStock(tx, by, id, change),
  })
}
