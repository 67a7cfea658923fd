// Prizes over HTTP, as staff keep them. What players see of them stands with packs and claims.

import { adminPrizesContract as prizes } from '@redpack/contract'
import { command, withSentence } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { drawPicture } from './images.ts'
import { addCodes, linesOf } from './prize-codes.ts'
import {
  changeStock,
  createPrize,
  deletePrize,
  prizesForStaff,
  undeletePrize,
  updatePrize,
} from './prizes.ts'

export function registerPrizes(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, prizes.list, () => prizesForStaff(deps.db))
  command(context, prizes.create, {
    order: ({ body }) => body,
    prepare: ({ imageData }) => drawPicture(deps, imageData),
    run: createPrize,
  })
  command(context, prizes.update, {
    order: ({ params, body }) => [params.id, body] as const,
    prepare: ([, { imageData }]) => drawPicture(deps, imageData),
    run: (tx, by, [id, change], picture) => updatePrize(tx, by, id, change, picture),
  })
  command(context, prizes.remove, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) =>
      withSentence(await deletePrize(tx, by, id), 'Prize deleted successfully'),
  })
  command(context, prizes.restore, { order: ({ params }) => params.id, run: undeletePrize })
  command(context, prizes.addInventory, {
    order: ({ params, body }) => [params.id, { add: body.quantity }] as const,
    run: (tx, by, [id, change]) => changeStock(tx, by, id, change),
  })
  command(context, prizes.setInventory, {
    order: ({ params, body }) =>
      [params.id, { set: body.quantity, expected: body.expected }] as const,
    run: (tx, by, [id, change]) => changeStock(tx, by, id, change),
  })
  command(context, prizes.addCodes, {
    order: ({ params, body, file }) =>
      [params.id, file === undefined ? (body.codes ?? []) : linesOf(file.bytes)] as const,
    run: (tx, by, [id, lines]) => addCodes(tx, by, deps.encryption, id, lines),
  })
}
