// Pack types over HTTP, for staff. What players see of them stands with packs.

import { adminPackTypesContract as contract } from '@redpack/contract'
import { command, withAnswer } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { drawPicture } from './images.ts'
import {
  createPackType,
  deletePackType,
  imageOfPackType,
  packTypesForStaff,
  undeletePackType,
  updatePackType,
} from './pack-types.ts'

const deleted = { success: true, message: 'Pack type deleted successfully' } as const

export function registerPackTypes(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, contract.list, () => packTypesForStaff(deps.db))
  serve(app, guards, contract.image, ({ params }) => imageOfPackType(deps.db, params.id))
  command(context, contract.create, {
    order: ({ body, file }) => ({ ...body, file: file?.bytes }),
    prepare: (sent) => drawPicture(deps, sent.file ?? sent.imageData),
    run: createPackType,
  })
  command(context, contract.update, {
    order: ({ params, body, file }) => [params.id, { ...body, file: file?.bytes }] as const,
    prepare: ([, { file, imageData }]) => drawPicture(deps, file ?? imageData),
    run: (tx, by, [id, change], picture) => updatePackType(tx, by, id, change, picture),
  })
  command(context, contract.remove, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) => withAnswer(await deletePackType(tx, by, id), deleted),
  })
  command(context, contract.restore, { order: ({ params }) => params.id, run: undeletePackType })
}
